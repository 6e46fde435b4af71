import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../ops/process/paths.ts'
import { toIntentStates } from './diagrams/intent-states.ts'
import { taskKinds, toEvaluatorActions, toModeActions } from './diagrams/mode-actions.ts'
import { toTaskStates } from './diagrams/task-states.ts'
import { replaceBlock } from './replace-block.ts'
import { writeGenerated } from './write-generated.ts'

/**
 * `node scripts/diagrams.ts`: writes the states and the actions of tasks and writes into docs/learn/modes.md and
 * docs/internals/life-of-a-write.md. They are generated from tables in the code. With `--check` it writes nothing, and
 * exits with 1 if a page differs.
 */

const modeBlocks = Object.keys(taskKinds).map((kind): [string, string] => [`actions ${kind}`, toModeActions(kind)])
const pages = {
  'docs/learn/modes.md': {
    'task states': toTaskStates(),
    ...Object.fromEntries(modeBlocks),
    'actions evaluator': toEvaluatorActions(),
  },
  'docs/internals/life-of-a-write.md': { 'intent states': toIntentStates() },
}

const files = new Map(
  Object.entries(pages).map(([path, blocks]) => [
    path,
    Object.entries(blocks).reduce(
      (page, [name, block]) => replaceBlock(page, marksOf(name), `\n${block}\n`),
      readFileSync(join(repositoryRoot, path), 'utf8'),
    ),
  ]),
)
const isCheck = process.argv.includes('--check')
const source = 'the tables of the code'
if (writeGenerated(files, { isCheck, script: 'scripts/diagrams.ts', source }) && isCheck) process.exitCode = 1

function marksOf(name: string): { begin: string; end: string } {
  return { begin: `<!-- ${name}: written by scripts/diagrams.ts -->\n`, end: `<!-- end of ${name} -->` }
}
