import type { Platform } from './platform';

export type { Command, RequestOf, ResponseOf } from './contract';
export type { DropEvent, Platform, Unlisten } from './platform';

let door: Platform | undefined;

/** Says which platform the window runs on; once, before it is drawn. */
export function usePlatform(platform: Platform): void {
  door = platform;
}

/** The platform the window runs on. */
export function platform(): Platform {
  if (!door) throw new Error('the platform is not set yet');
  return door;
}
