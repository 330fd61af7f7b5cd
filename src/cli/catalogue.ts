import type { Command } from 'commander';
import { catalogueApply } from './catalogue-apply.ts';
import { catalogueImport } from './catalogue-import.ts';
import { catalogueShow } from './catalogue-show.ts';
import { defineGroup, sealing, type CliContext } from './context.ts';

export function catalogueCommands(program: Command, context: CliContext): void {
  const catalogue = defineGroup(program, 'catalogue', 'providers, models and prices');
  sealing(catalogue, context);
  catalogueApply(catalogue, context);
  catalogueShow(catalogue, context);
  catalogueImport(catalogue, context);
}
