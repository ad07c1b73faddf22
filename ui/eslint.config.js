import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

const oneDoor = {
  'no-restricted-imports': [
    'error',
    {
      patterns: [
        { group: ['@tauri-apps/*'], message: 'Only src/platform/ talks to the shell; call platform() instead.' },
      ],
    },
  ],
};

export default ts.config(
  { ignores: ['dist', 'dist-scripted', 'node_modules', 'src/gen'] },
  js.configs.recommended,
  ts.configs.strict,
  svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser } },
    rules: {
      ...oneDoor,
      eqeqeq: 'error',
      'no-console': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      // Styles set in markup would break the content security policy.
      'svelte/no-inline-styles': 'error',
      // Plain maps are caches that nothing is drawn from; what is drawn is $state or a SvelteMap.
      'svelte/prefer-svelte-reactivity': 'off',
      // HTML enters the page in SafeHtml.svelte and nowhere else.
      'svelte/no-at-html-tags': 'error',
      // The window has no router: its links are fragments of its own.
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig } },
  },
  { files: ['src/platform/**'], rules: { 'no-restricted-imports': 'off' } },
  { files: ['*.config.*'], languageOptions: { globals: { ...globals.node } } },
);
