import { escapeHidden } from '../../api/text/escape-hidden.ts'
import { refuseStart, warnOfUnknownNames } from '../../settings/refuse-start.ts'
import { readOptions } from '../process/read-options.ts'
import { describePrune, pruneOldSchemas } from './prune-schemas.ts'
import { readIndexerSettings } from './settings.ts'
import { startIndexer } from './start-indexer.ts'

/**
 * Runs the indexer in front until SIGINT or SIGTERM (exit 0) or until it has given up (exit 1, with the end of Ponder's log), or
 * drops old rows (`prune`). Errors may quote an event's texts, so every line is escaped as it is printed.
 */
const log = (line: string) => console.log(escapeHidden(`indexer: ${line}`))

function fail(error: unknown): never {
  console.error(escapeHidden(`indexer: ${error instanceof Error ? error.message : String(error)}`))
  process.exit(1)
}

const refuse = (error: unknown) => refuseStart('indexer', error)

async function prune(isDryRun: boolean): Promise<0> {
  const { databaseUrl } = readIndexerSettings(process.env)
  for (const line of describePrune(await pruneOldSchemas(databaseUrl, { isDryRun }), isDryRun)) console.log(line)
  return 0
}

const asked = new Promise<'asked'>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve('asked'))
})
const { values, positionals } = readOptions({
  options: { again: { type: 'boolean', default: false }, 'dry-run': { type: 'boolean', default: false } },
  allowPositionals: true,
})
const isPrune = positionals.length === 1 && positionals[0] === 'prune' && !values.again
if (!isPrune && (positionals.length > 0 || values['dry-run'])) {
  console.error('The commands are: npm run indexer [-- --again], and npm run indexer -- prune [--dry-run].')
  process.exit(2)
}
warnOfUnknownNames('indexer')
if (isPrune) process.exit(await prune(values['dry-run']).catch(refuse))
const starting = (async () => startIndexer({ ...readIndexerSettings(process.env), again: values.again, log }))()

// Asked to end before it runs: Ponder ends with this process.
const indexer = await Promise.race([starting, asked]).catch(refuse)
if (indexer === 'asked') process.exit(0)
log(`status on port ${indexer.port}: /status, /health, /ready`)

const outcome = await Promise.race([asked, indexer.failed])
await indexer.stop()
if (outcome !== 'asked') fail(outcome)
log('ended')
