import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vitest/config';

// `--mode scripted` builds the window on the scripted platform (rich invented data, no shell behind it), for looking at it
// in a browser. The build for the shell holds none of it.
export default defineConfig(({ mode }) => ({
  base: './',
  plugins: [svelte(), svelteTesting()],
  build: {
    target: 'es2022',
    // The content security policy allows neither data: URLs nor inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: mode === 'scripted',
  },
  server: { port: 5173, strictPort: true },
  test: {
    environment: 'jsdom',
    include: ['tests/**/*.test.ts'],
    setupFiles: ['tests/setup.ts'],
    env: { TZ: 'Europe/Berlin' },
    restoreMocks: true,
    retry: 0,
    // Generous, since the machine may be building something else beside; nothing waits for it when all is well.
    testTimeout: 60_000,
  },
}));
