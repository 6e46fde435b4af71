/**
 * Builds the generated part of the package `task-market-contracts` into `contracts/dist`. `npm pack` runs this file as
 * `prepack`; the test of the package runs it too.
 *
 *   node scripts/contracts/build-package.ts
 *
 * `index.js` and `index.d.ts` hold the ABIs of `abis/` and the addresses of `deployments/`, `abi/*.json` each ABI, and
 * `ShippedCode.sol` the code that a deployment creates, for tests in Solidity.
 */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { generatedBy } from '../generated-by.ts'
import { type AbiConstant, listAbiConstants } from './abi-files.ts'
import { compileContracts } from './compile.ts'
import { listAddresses } from './deployed-addresses.ts'
import { contractsRoot, repositoryRoot } from './paths.ts'
import { renderShippedCode } from './shipped-code.ts'

await compileContracts()
const abis = listAbiConstants()
const addresses = listAddresses()
const header = `// ${generatedBy('scripts/contracts/build-package.ts', 'contracts/src and deployments')}\n`

const folder = join(contractsRoot, 'dist')
rmSync(folder, { recursive: true, force: true })
mkdirSync(join(folder, 'abi'), { recursive: true })
for (const abi of abis) writeFileSync(join(folder, 'abi', `${basename(abi.file, '.ts')}.json`), renderJson(abi))
const constants = [...abis.map(({ constant, items }) => [constant, items] as const), ['addresses', addresses] as const]
writeFileSync(
  join(folder, 'index.js'),
  header + constants.map(([name, value]) => `export const ${name} = ${renderValue(value)}\n`).join(''),
)
writeFileSync(
  join(folder, 'index.d.ts'),
  header + constants.map(([name, value]) => `export declare const ${name}: ${renderType(value)}\n`).join(''),
)
writeFileSync(join(folder, 'ShippedCode.sol'), renderShippedCode())
copyFileSync(join(repositoryRoot, 'LICENSE'), join(contractsRoot, 'LICENSE'))

/** One item a line, as in `abis/`. */
function renderJson({ items }: AbiConstant): string {
  return `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]\n`
}

/** JSON, with the members that have no value. Example: `{"market":undefined}`. */
function renderValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(renderValue).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}:${renderValue(member)}`)
    .join(',')}}`
}

/** The type that `as const` gives a value. Example: `readonly [{ readonly "name": "usdc" }]`. */
function renderType(value: unknown): string {
  if (Array.isArray(value)) return `readonly [${value.map(renderType).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  return `{ ${Object.entries(value)
    .map(([key, member]) => `readonly ${toMemberName(key)}: ${renderType(member)}`)
    .join('; ')} }`
}

/** Chain ids are members by number: `addresses[8453]`. */
function toMemberName(key: string): string {
  return /^\d+$/.test(key) ? key : JSON.stringify(key)
}
