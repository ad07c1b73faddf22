import { invoke } from '@tauri-apps/api/core';
import { listen } from '@tauri-apps/api/event';
import { getCurrentWebview } from '@tauri-apps/api/webview';
import type { JobState } from '../gen/JobState';
import type { DropEvent, Platform, Unlisten } from './platform';

/** The platform of the desktop shell: commands of the contract as `invoke(name, { request })`. */
export const shell: Platform = {
  call: (command, request) => invoke(command, { request }),
  onJob: (listener) => whenListening(listen<JobState>('job', (event) => listener(event.payload))),
  onDrop: (listener) =>
    whenListening(
      getCurrentWebview().onDragDropEvent(({ payload }) => {
        const event = dropEvent(payload);
        if (event) listener(event);
      }),
    ),
  chooseFiles: async () => (await invoke<string[] | null>('choose_files')) ?? [],
  chooseFolder: async () => paths(await invoke<string[] | string | null>('choose_folder')),
  chooseExportPath: (suggested) => invoke('choose_export_path', { suggested }),
  openLink: (url) => invoke('open_link', { url }),
  startupFiles: () => invoke('startup_files'),
  openSample: () => invoke('open_sample'),
  closeSample: () => invoke('close_sample'),
};

function paths(chosen: string[] | string | null): string[] {
  if (chosen === null) return [];
  return typeof chosen === 'string' ? [chosen] : chosen;
}

function dropEvent(
  payload: { type: 'enter' | 'drop'; paths: string[] } | { type: 'over' } | { type: 'leave' },
): DropEvent | null {
  switch (payload.type) {
    case 'enter':
      return { kind: 'over' };
    case 'leave':
      return { kind: 'leave' };
    case 'drop':
      return { kind: 'drop', paths: payload.paths };
    case 'over':
      return null;
  }
}

/** A listener can be taken away before the shell has answered that it listens. */
function whenListening(listening: Promise<Unlisten>): Unlisten {
  return () => void listening.then((unlisten) => unlisten());
}
