import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../ops/process/paths.ts'

/**
 * Refuses words that a reader of the field does not know, in names, comments, log messages and documents of every folder,
 * contracts and tests included: each with the standard word. Migrations, which are never edited, are not read.
 */
const standardWords: readonly [RegExp, string][] = [
  [/errand/i, 'job'],
  [/\bstrays?\b|\bStray[A-Z]/, 'orphaned payment'],
  [/\blanes?\b|[a-z]Lanes?\b|\bLane[A-Z]/, 'nonce sequence'],
  [/unstick/i, 'replace transaction'],
  [/\blegs?\b|[a-z]Legs?\b|\bLegs?[A-Z]/, 'relay mode'],
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
  [/(Some|Every|Any|No)body/, 'a caller, any account, no process'],
  [/\bwho(so|m)?ever\b/i, 'any caller'],
  [/\b(he|his|him|himself|she|her|herself)\b/i, 'they, or it'],
  [/\b(speaks?|born|lies around)\b/i, 'what it does'],
  [/release-safe|releaseSafe/, 'finalize'],
  [/boundWaits|bound-waits|boundAnswers|bound-answers/, 'query timeout, response timeout'],
  [/keep-?transactions-?apart/i, 'transaction guard'],
  [/kept-?answers/i, 'response cache'],
  [/body-?slots/i, 'upload concurrency'],
  [/\bpace\b/i, 'rate, or meter'],
  [/for-?each-?at-?once/i, 'mapWithLimit'],
  [/giveBack|give-back/, 'refund, or release'],
  [/othersSee|\bthing(Gates|s?:)/, 'visibleTo, resource'],
  [/\bworlds?\b|[a-z]World\b|\bWorld[A-Z]/i, 'environment'],
  [/\b(scenes?|destin(y|ies)|wish(es)?|blind agents?|speakers?)\b/i, 'fixture, target state, coverage target'],
  [/\b(Endings|Money)\.sol|\blibrary (Endings|Money)\b/, 'SettlementFlow, Payouts'],
  [/\bscrub/i, 'redact'],
  [/\bPATIENCE|REST_SECONDS|LOOK_EVERY|LAST_WORD/, 'timeout, delay, poll interval'],
]

/** Words that are data: stored values, columns of earlier tables, fields of answers, metric labels, the system user `nobody`. */
const data = [
  "'noop'",
  'status, leg, calldata',
  'raw, leg, gas_limit',
  'facts.stray',
  "stray: 'true'",
  'poor }',
  'poor.length',
  'const poor =',
  'poor: [api',
  'relayers?: { poor',
  'relayers?.poor',
  'VAULT_INSOLVENT',
  'VaultInsolvent',
  "'nobody'",
  'nor nobody',
  "nobody's ids",
]

/** Generated or of other authors; legal texts, whose words are accepted by their hash. */
const leftOut = [
  '.git',
  '.local',
  'abis',
  'contracts/cache',
  'contracts/dist',
  'contracts/lib',
  'contracts/out',
  'policies',
]
/** Of other authors in every folder; migrations are not changed any more. */
const leftOutAnywhere = ['node_modules', 'migrations']

const findings = listFiles('')
  .filter((path) => path !== 'scripts/language.ts')
  .flatMap(findWords)
for (const finding of findings) console.error(finding)
if (findings.length > 0) process.exitCode = 1

/** Files with words, in all folders: a new one needs no entry here. */
function listFiles(folder: string): string[] {
  return readdirSync(join(repositoryRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (leftOut.includes(path) || leftOutAnywhere.includes(entry.name)) return []
    if (entry.isDirectory()) return listFiles(path)
    return /\.(ts|mjs|cjs|py|md|sol|sql|tree)$/.test(entry.name) ? [path] : []
  })
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
