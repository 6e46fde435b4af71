import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Abi } from 'viem'
import { bonusHookAbi } from '../abis/bonus-hook.ts'
import { identityRegistrarAbi } from '../abis/identity-registrar.ts'
import { paymentForwarderAbi } from '../abis/payment-forwarder.ts'
import { sponsoredTasksHookAbi } from '../abis/sponsored-tasks-hook.ts'
import { sponsoredVaultAbi } from '../abis/sponsored-vault.ts'
import { taskMarketAbi } from '../abis/task-market.ts'
import { usdcAbi } from '../abis/usdc.ts'
import { repositoryRoot } from '../ops/process/paths.ts'
import { generatedBy } from './generated-by.ts'

/**
 * Writes the generated parts of the table of operations. Two parts are the lists of all entries and of all listings;
 * each file of `protocol/operations` has one of each. The third part is the ABI of the contract functions that the
 * entries call, such as `cancelTask` in `marketCall('cancelTask')({ ... })`, and of those that `protocol/relay.ts`
 * names. With `--check` it writes nothing, and exits with 1 if a committed file differs.
 */

interface Picked {
  /** Name of the generated constant. */
  constant: string
  abi: Abi
  /** Names of the functions that the entries call. */
  names: ReadonlySet<string>
}

interface EntryFile {
  /** Path of the file below `protocol/`, without the ending `.ts`. Example: `operations/cancel-task`. */
  path: string
  /** Name of the file's entry. Example: `cancelTask`. */
  entry: string
}

const operationFiles = globSync('protocol/operations/*.ts', { cwd: repositoryRoot })
const entries = [...operationFiles, 'protocol/own-operations.ts'].map(read).join('\n')
const contracts: Picked[] = [
  { constant: 'marketAbi', abi: taskMarketAbi, names: namesOf('marketCall') },
  { constant: 'identityRegistrarAbi', abi: identityRegistrarAbi, names: namesOf('registrarCall') },
  { constant: 'sponsoredTasksHookAbi', abi: sponsoredTasksHookAbi, names: namesOf('vaultHookCall') },
  { constant: 'usdcAbi', abi: usdcAbi.filter(takesWholeSignature), names: namesOf('usdcCall') },
  { constant: 'programmeAbi', abi: bonusHookAbi, names: namesOf('programmeCall') },
  { constant: 'vaultAbi', abi: sponsoredVaultAbi, names: namesOf('vaultCall') },
  {
    constant: 'forwarderAbi',
    abi: paymentForwarderAbi,
    names: new Set([...namesIn(read('protocol/relay.ts'), /'(\w+)'/g), ...namesOf('switchCall')]),
  },
]
const entryFiles = operationFiles.flatMap(toEntryFile).sort((a, b) => (a.path < b.path ? -1 : 1))
const files: Readonly<Record<string, string>> = {
  'protocol/abi.ts': contracts.map(render).join(''),
  'protocol/operations.ts': renderOperations(entryFiles),
  'protocol/catalogue.ts': renderCatalogue(entryFiles),
}

for (const [path, text] of Object.entries(files)) {
  const generatedText = `// ${generatedBy('scripts/protocol-table.ts', 'protocol/operations and abis')}\n${text}`
  if (!process.argv.includes('--check')) {
    writeFileSync(join(repositoryRoot, path), generatedText)
  } else if (read(path) !== generatedText) {
    console.error(`${path} does not match protocol/operations and abis: run node scripts/protocol-table.ts`)
    process.exitCode = 1
  }
}

function read(path: string): string {
  return readFileSync(join(repositoryRoot, path), 'utf8')
}

/**
 * Returns the names of the contract functions that the entries pass to a builder. @param builder a function of
 * `protocol/kinds.ts`, such as `marketCall`
 */
function namesOf(builder: string): ReadonlySet<string> {
  return namesIn(entries, new RegExp(`\\b${builder}\\('(\\w+)'\\)`, 'g'))
}

/**
 * Returns true if a function takes a signature as one value. USDC has each of its signed functions twice: with one
 * value, and with the parts v, r and s. Signatures of contract wallets do not consist of these parts.
 */
function takesWholeSignature(item: Abi[number]): boolean {
  return item.type !== 'function' || item.inputs.every(({ name }) => name !== 'v')
}

function namesIn(source: string, pattern: RegExp): ReadonlySet<string> {
  return new Set([...source.matchAll(pattern)].map(([, name = '']) => name))
}

function render({ constant, abi, names }: Picked): string {
  const rows = abi.flatMap((item) =>
    item.type === 'function' && names.has(item.name) ? [`  ${JSON.stringify(item)},\n`] : [],
  )
  return `export const ${constant} = [\n${rows.join('')}] as const\n`
}

/**
 * Returns the entry of a file; an empty list for a file without an entry, which only has functions that entries share.
 */
function toEntryFile(path: string): EntryFile[] {
  const entry = /^export const (\w+) = \w+Call\('/m.exec(read(path))?.[1]
  return entry === undefined ? [] : [{ path: path.replace(/^protocol\/|[.]ts$/g, ''), entry }]
}

function renderOperations(entryFiles: readonly EntryFile[]): string {
  const imports = entryFiles.map(({ path, entry }) => `import { ${entry} } from './${path}.ts'\n`)
  const rows = entryFiles.map(({ entry }) => `  [${entry}.name]: ${entry},\n`)
  const doc = '/** The table of operations, by name. */\n'
  return `${imports.join('')}\n${doc}export const operations = {\n${rows.join('')}}\n`
}

function renderCatalogue(entryFiles: readonly EntryFile[]): string {
  const imports = entryFiles.map(({ path, entry }) => `import { ${entry}, ${entry}Listing } from './${path}.ts'\n`)
  const rows = entryFiles.map(({ entry }) => `  [${entry}.name]: ${entry}Listing,\n`)
  const type = '{ [Name in keyof typeof operations]: ListingOf<(typeof operations)[Name]> }'
  return [
    `import type { ListingOf } from './listing.ts'\n${imports.join('')}`,
    "import type { operations } from './operations.ts'\n\n",
    '/** The listing of each operation, by its name. */\n',
    `export const catalogue: ${type} = {\n${rows.join('')}}\n`,
  ].join('')
}
