import { mount } from 'svelte';
import App from './App.svelte';
import { usePlatform } from './platform';
import { shell } from './platform/shell';
import './styles/base.css';
import './styles/answer.css';

async function start(): Promise<void> {
  if (import.meta.env.MODE === 'scripted') {
    const { scriptedByAddress } = await import('./platform/scripted/address');
    usePlatform(scriptedByAddress());
  } else {
    usePlatform(shell);
  }
  const target = document.getElementById('app');
  if (target) mount(App, { target });
}

void start();
