/**
 * Runs the indexer in the foreground, or drops schemas with old rows (`prune`). The indexer ends at SIGINT or SIGTERM
 * with exit code 0. After a final failure, the indexer prints the end of Ponder's log and ends with exit code 1.
 */
import { escapeHidden } from '../../api/text/escape-hidden.ts'
import { createRedact } from '../../api/text/redact.ts'
import { refuseStart, warnOfUnknownNames } from '../../settings/refuse-start.ts'
import { readOptions } from '../process/read-options.ts'
import { describePrune, pruneOldSchemas } from './prune-schemas.ts'
import { readIndexerSettings } from './settings.ts'
import { startIndexer } from './start-indexer.ts'

const redact = createRedact([])
// Errors may quote the texts of an event, so every printed line is escaped.
const log = (line: string) => console.log(escapeHidden(redact(`indexer: ${line}`)))

function fail(error: unknown): never {
  console.error(escapeHidden(redact(`indexer: ${error instanceof Error ? error.message : String(error)}`)))
  process.exit(1)
}

const refuse = (error: unknown) => refuseStart('indexer', error)

async function prune({ databaseUrl }: { databaseUrl: string }, isDryRun: boolean): Promise<never> {
  const schemas = await pruneOldSchemas(databaseUrl, { isDryRun }).catch(fail)
  for (const line of describePrune(schemas, isDryRun)) console.log(line)
  process.exit(0)
}

function readSettings() {
  try {
    return readIndexerSettings(process.env)
  } catch (error) {
    return refuse(error)
  }
}

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
const settings = readSettings()
if (isPrune) await prune(settings, values['dry-run'])

const stopRequest = new Promise<'asked'>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve('asked'))
})
const startup = startIndexer({ ...settings, again: values.again, log })

// A signal arrived before it runs: Ponder ends with this process.
const indexer = await Promise.race([startup, stopRequest]).catch(refuse)
if (indexer === 'asked') process.exit(0)
log(`status on port ${indexer.port}: /status, /health, /ready`)

const outcome = await Promise.race([stopRequest, indexer.failed])
await indexer.stop()
if (outcome !== 'asked') fail(outcome)
log('ended')
