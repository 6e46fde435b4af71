import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { identityRegistrarAbi } from '../abis/identity-registrar.ts'
import { taskMarketAbi } from '../abis/task-market.ts'
import { repositoryRoot } from '../ops/process/paths.ts'
import { operations } from '../protocol/operations.ts'
import { makePythonTypes, makePythonWrites } from './client/python-types.ts'
import { toolCatalogue } from './client/tool-catalogue.ts'
import { generatedBy } from './generated-by.ts'

/**
 * Generates the parts of the client packages that follow from this repository. Types and MCP tools come from
 * docs/openapi.json. The names of writes come from the table of operations (`protocol/operations.ts`). Deployments come
 * from deployments/. The contracts' errors and the form of a task come from abis. `--check` only compares. The types
 * contain no descriptions and no examples, because these would triple the size of the package.
 */

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

const document = JSON.parse(readFileSync(join(repositoryRoot, 'docs', 'openapi.json'), 'utf8'))
const routelessOperations = Object.values(operations).filter(
  ({ path }) => document.paths[`/api${path}`]?.post === undefined,
)
if (routelessOperations.length > 0) {
  const names = routelessOperations.map(({ name }) => name).join(', ')
  console.error(`docs/openapi.json has no ${names}: a row in api/server/routes.ts, then run node scripts/openapi.ts`)
  process.exit(1)
}
const files = {
  'client/src/api/openapi.ts': `${origin('docs/openapi.json')}${await makeTypes()}`,
  'client/src/api/relayed-writes.ts': `${origin('protocol/operations.ts')}${makeRelayedWrites()}`,
  'client/src/api/action-writes.ts': `${origin('protocol/operations.ts')}${makeActionWrites()}`,
  'client/src/mcp/catalogue.ts': `${origin('docs/openapi.json')}${toolCatalogue(document)}`,
  'client/src/deployment/deployment-files.ts': `${origin('deployments')}${makeDeployments()}`,
  'client/src/chain/task-view.ts': `${origin('abis/task-market.ts')}${makeTaskView()}`,
  'client/src/verify/market-abi.ts': `${origin('abis/task-market.ts')}${makeVerifiedAbi()}`,
  'client/src/chain/contract-errors.ts': `${origin('abis')}${makeContractErrors()}`,
  'clients/python/task_market/types.py': `# ${generatedBy('scripts/client-types.ts', 'docs/openapi.json')}\n\n${makePythonTypes(document)}\n`,
  'clients/python/task_market/writes.py': `# ${generatedBy('scripts/client-types.ts', 'protocol/operations.ts')}\n\n${makePythonWrites()}`,
}

for (const [name, text] of Object.entries(files)) {
  const path = join(repositoryRoot, name)
  if (!process.argv.includes('--check')) {
    writeFileSync(path, text)
  } else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${name} does not match what it is made from: run node scripts/client-types.ts`)
    process.exitCode = 1
  }
}

function origin(source: string): string {
  return `// ${generatedBy('scripts/client-types.ts', source)}\n\n`
}

async function makeTypes(): Promise<string> {
  const types = withoutTexts(withoutCaching(document))
  return astToString(await openapiTS(types as never, { alphabetize: false }))
}

/**
 * Removes the headers ETag and Cache-Control, and the status 304, from the document. Client programs do not need types
 * for them, because an answer has the same type with and without caching.
 */
function withoutCaching(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutCaching)
  if (typeof value !== 'object' || value === null) return value
  const rows = Object.entries(value).filter(([name]) => !['304', 'ETag', 'Cache-Control'].includes(name))
  const keptRows = rows.map(([name, member]) => [name, withoutCaching(member)] as const)
  return Object.fromEntries(
    keptRows.filter(([name, member]) => name !== 'headers' || Object.keys(member ?? {}).length > 0),
  )
}

function makeDeployments(): string {
  const files = globSync('deployments/*.json', { cwd: repositoryRoot }).map((path) =>
    JSON.parse(readFileSync(join(repositoryRoot, path), 'utf8')),
  )
  const keptFiles = files.map(({ chainId, name, local, bound, usdc, contracts, registries }) => {
    return { chainId, name, local, bound, usdc, contracts, registries }
  })
  const byChain = Object.fromEntries(keptFiles.map((file) => [file.chainId, file]))
  return [
    '/** The deployment files that the package was made with, by chain, as far as a client uses them. No contracts: the market is not deployed there. */',
    `export const deploymentFiles: Record<number, { name: string; contracts: Record<string, { address: string }>; [field: string]: unknown }> = ${JSON.stringify(byChain, null, 2)}\n`,
  ].join('\n')
}

/**
 * Returns the text of the constant `actionWrites`. For each action of `pendingActions`, the constant has the write that
 * performs the action.
 */
function makeActionWrites(): string {
  const entries: readonly { operationId: string; action?: string }[] = Object.values(operations)
  const rows = entries.flatMap(({ operationId, action }) =>
    action === undefined ? [] : [`  ${action}: '${operationId}',`],
  )
  const about = '/** The write that takes each pending action. */'
  return [about, 'export const actionWrites = {', ...rows.sort(), '} as const', ''].join('\n')
}

/**
 * Returns the text of the constant `relayedWrites`. The client's types use this constant and not the table of
 * operations. Otherwise the package would contain all declarations of the table.
 */
function makeRelayedWrites(): string {
  const rows = Object.values(operations).map((entry: { operationId: string; actorField?: string }) => {
    const { operationId, actorField } = entry
    return `  ${operationId}: ${actorField === undefined ? 'null' : `'${actorField}'`},`
  })
  return [
    '/** Operation ids of relayed writes, each with the field of its request that names the account; null: it has none. */',
    'export const relayedWrites = {',
    ...rows,
    '} as const\n',
  ].join('\n')
}

function makeTaskView(): string {
  const view = taskMarketAbi.find((item) => item.type === 'function' && item.name === 'getTask')
  return `export const taskViewAbi = [${JSON.stringify(view)}] as const\n`
}

/**
 * Returns the text of the constant `marketAbi`. It contains the events of a task (their first topic is the task's id),
 * and the views that return the task's state.
 */
function makeVerifiedAbi(): string {
  const views = ['getTask', 'hooksOf', 'taskTermsHash']
  const isOfTask = (item: (typeof taskMarketAbi)[number]) => {
    if (item.type === 'event') return item.inputs[0]?.name === 'taskId' && item.inputs[0].indexed
    return item.type === 'function' && views.includes(item.name)
  }
  const rows = taskMarketAbi.filter(isOfTask).map((item) => `  ${JSON.stringify(item)},`)
  const doc = '/** The events and views of the market that a task is checked by. */'
  return [doc, 'export const marketAbi = [', ...rows, '] as const\n'].join('\n')
}

/**
 * Returns the text of the constant `contractErrors`. An error that both contracts declare, such as `ActorRequired`,
 * occurs once.
 */
function makeContractErrors(): string {
  const errors = [...taskMarketAbi, ...identityRegistrarAbi].filter(({ type }) => type === 'error')
  const rows = new Set(errors.map((item) => `  ${JSON.stringify(item)},`))
  const doc = '/** Every error of the market and of the registrar of identities. */'
  return [doc, 'export const contractErrors = [', ...rows, '] as const\n'].join('\n')
}

/**
 * Returns a part of the document without its descriptions and examples. A property of a schema is kept even if its name
 * is `description` or `example`.
 */
function withoutTexts(value: Json, isMap = false): Json {
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item))
  if (typeof value !== 'object' || value === null) return value
  const keptMembers = Object.entries(value).filter(([name, member]) => isMap || !isText(name, member))
  return Object.fromEntries(
    keptMembers.map(([name, member]) => [name, withoutTexts(member, !isMap && name === 'properties')]),
  )
}

function isText(name: string, value: Json): boolean {
  if (name === 'example' || name === 'examples') return true
  return ['description', 'summary', 'title', 'pattern', 'default'].includes(name) && typeof value !== 'object'
}
