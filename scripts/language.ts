import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../ops/process/paths.ts'

/**
 * Refuses words that a reader of the field does not know, in names, comments, log messages and documents: each with the
 * standard word. It reads the folders whose words have been replaced; a folder joins the list with its last word.
 */
const standardWords: readonly [RegExp, string][] = [
  [/errand/i, 'job'],
  [/\bstrays?\b|\bStray[A-Z]/, 'orphaned payment'],
  [/\blanes?\b|[a-z]Lanes?\b|\bLane[A-Z]/, 'nonce sequence'],
  [/unstick/i, 'replace transaction'],
  [/\bnoop\b|Noop/, 'cancellation transaction'],
  [/\bwitness/i, 'confirmation source'],
  [/gas ?money/i, 'relayer balance'],
  [/solvent/i, 'funded'],
  [/\bpoor\b/i, 'underfunded'],
  [/\bbells?\b|Bell\b/, 'notifier'],
  [/TooBusy/, 'Overloaded'],
  [/nameless/i, 'anonymous'],
  [/\blets? go\b/i, 'finalize, or release'],
  [/\b(some|every|any|no)body\b/i, 'a caller, any account, no process'],
  [/\bwhoever\b/i, 'any caller'],
  [/\b(he|his|him)\b/i, 'they, or it'],
  [/\b(speaks?|is born|lies around)\b/i, 'what it does'],
]

/** Words that are data: stored values, fields of answers, metric labels, the system user `nobody`. */
const data = [
  "'noop'",
  'facts.stray',
  "stray: 'true'",
  'poor }',
  'poor.length',
  'const poor =',
  'poor: [api',
  'relayers?: { poor',
  'relayers?.poor',
  'VAULT_INSOLVENT',
  "'nobody'",
  'nor nobody',
  "nobody's ids",
]

const folders = [
  'CONTRIBUTING.md',
  'README.md',
  'SECURITY.md',
  'api/analytics',
  'api/artifacts',
  'api/chain',
  'api/concurrency',
  'api/config.ts',
  'api/db',
  'api/deps.ts',
  'api/domain',
  'api/errors',
  'api/features',
  'api/failpoint.ts',
  'api/graphql',
  'api/http',
  'api/identity',
  'api/intents',
  'api/main.ts',
  'api/observability',
  'api/payments',
  'api/read-model',
  'api/relayer',
  'api/server',
  'api/shutdown.ts',
  'api/start-loops.ts',
  'api/text',
  'api/trpc',
  'api/writes',
  'docs',
  'ops',
  'ponder.config.ts',
  'ponder.schema.ts',
  'scripts',
  'src',
  'test',
]

const findings = folders
  .flatMap(listFiles)
  .filter((path) => path !== 'scripts/language.ts')
  .flatMap(findWords)
for (const finding of findings) console.error(finding)
if (findings.length > 0) process.exitCode = 1

function listFiles(path: string): string[] {
  if (/\.\w+$/.test(path)) return [path]
  const entries = readdirSync(join(repositoryRoot, path), { withFileTypes: true })
  return entries.flatMap((entry) =>
    entry.isDirectory() || (/\.(ts|mjs|md|sql)$/.test(entry.name) && !path.endsWith('migrations'))
      ? listFiles(join(path, entry.name))
      : [],
  )
}

function findWords(path: string): string[] {
  const lines = readFileSync(join(repositoryRoot, path), 'utf8').split('\n')
  return lines.flatMap((line, index) => {
    const text = data.reduce((rest, word) => rest.replaceAll(word, ''), line)
    return standardWords
      .filter(([word]) => word.test(text))
      .map(([word, standard]) => `${path}:${index + 1}: ${word.exec(text)?.[0]} -> ${standard}`)
  })
}
