/** Runs the command of an agent. A driver calls `run` with its words, and writes its settings before. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const { MODEL: model, TASK: task, WORK: work, HOME: home } = process.env;

/** Writes a file of settings below the home folder, or at an absolute path. */
export function settings(path, text) {
  const place = join(home, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text);
}

/** A JSON recipe without its lines of comments, which mark where it begins and ends. */
export function recipe(text) {
  return text.replaceAll(/^\/\/.*\n/gm, '');
}

/** Runs a program of node_modules/.bin in the folder of the task, by the Node.js that was installed with it, if any. */
export function run(program, args, env = {}) {
  const programs = join(home, 'node_modules/.bin');
  const PATH = `${programs}:${process.env.PATH}`;
  const child = spawn(program, args, {
    cwd: work,
    env: { ...process.env, PATH, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  child.on('error', (error) => {
    console.error(error);
    process.exit(1);
  });
  child.on('exit', (code) => process.exit(code ?? 1));
}
