// Shorthands for the command list that the contract makes.

import type { Commands } from '../gen/Commands';

/** Name of a command. */
export type Command = keyof Commands;

/** What a command takes. */
export type RequestOf<C extends Command> = Commands[C]['request'];

/** What a command gives. */
export type ResponseOf<C extends Command> = Commands[C]['response'];
