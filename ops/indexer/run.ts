import { escapeHidden } from '../../api/text/escape-hidden.ts'
import { refuseStart, warnOfUnknownNames } from '../../settings/refuse-start.ts'
import { readOptions } from '../process/read-options.ts'
import { readIndexerSettings } from './settings.ts'
import { startIndexer } from './start-indexer.ts'

/**
 * `npm run indexer`, with `-- --again` to index the chain again beside the rows that are served: runs the indexer in front until SIGINT or SIGTERM (exit 0) or until it has given up (exit 1, with
 * the end of Ponder's log). Errors may quote an event's texts, so every line is escaped as it is printed.
 */
const log = (line: string) => console.log(escapeHidden(`indexer: ${line}`))

function fail(error: unknown): never {
  console.error(escapeHidden(`indexer: ${error instanceof Error ? error.message : String(error)}`))
  process.exit(1)
}

const refuse = (error: unknown) => refuseStart('indexer', error)

const asked = new Promise<'asked'>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve('asked'))
})
const { values } = readOptions({ options: { again: { type: 'boolean', default: false } } })
warnOfUnknownNames('indexer')
const starting = (async () => startIndexer({ ...readIndexerSettings(process.env), again: values.again, log }))()

// Asked to end before it runs: Ponder ends with this process.
const indexer = await Promise.race([starting, asked]).catch(refuse)
if (indexer === 'asked') process.exit(0)
log(`status on port ${indexer.port}: /status, /health, /ready`)

const outcome = await Promise.race([asked, indexer.failed])
await indexer.stop()
if (outcome !== 'asked') fail(outcome)
log('ended')
