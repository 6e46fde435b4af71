import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listEventKinds } from '../api/events/event-kinds.ts'
import { repositoryRoot } from '../ops/process/paths.ts'
import { replaceBlock } from './replace-block.ts'

/**
 * Writes the table of event kinds into `docs/build/events.md`. With `--check` it writes nothing, and exits with 1 if
 * the committed page differs.
 */

const marks = { begin: '<!-- kinds: written by scripts/event-kinds.ts -->\n', end: '<!-- end of kinds -->' }
const path = join(repositoryRoot, 'docs', 'build', 'events.md')
const page = readFileSync(path, 'utf8')
const renewedPage = replaceBlock(page, marks, render())
if (!process.argv.includes('--check')) writeFileSync(path, renewedPage)
else if (renewedPage !== page) {
  console.error('docs/build/events.md does not match api/events/event-kinds.ts: run node scripts/event-kinds.ts')
  process.exit(1)
}

function render(): string {
  const kinds = listEventKinds().map(({ kind, source, meaning, fields }) => {
    const lines = fields.map(([name, { meaning: says }]) => `| \`${name}\` | ${says} |`)
    return `\n### ${kind}\n\n${meaning} Made of \`${source}\`.\n\n| field of \`data\` | meaning |\n| --- | --- |\n${lines.join('\n')}\n`
  })
  return `${kinds.join('')}\n### reverted

A reorg took an earlier entry back.

| field of \`data\` | meaning |
| --- | --- |
| \`eventId\` | The earlier entry. |

### revealed

Earlier entries have become visible: submissions at the end of their task, sealed bids at their deadline, a task to its evaluator,
resolver and worker, a private task at an invitation. They are read with \`taskId\`, and keep their ids.

| field of \`data\` | meaning |
| --- | --- |
| \`eventIds\` | The earlier entries, at most 500. To whom: \`addresses\`; none: to everyone who sees the task. |

`
}
