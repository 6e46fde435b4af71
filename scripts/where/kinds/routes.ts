import { literal } from '../code.ts'
import { type Endpoint, listEndpoints } from '../endpoints.ts'
import { detailsIn } from '../refusals.ts'
import { ruleRows } from '../rules.ts'
import { fieldOf, type Kind, listMentions, type Row, type Sources } from '../sources.ts'
import { callRows } from './contracts.ts'
import { serviceTableKind } from './service-tables.ts'

/**
 * Kind of name: operations of the HTTP API. A question may contain method and path, the `operationId`, or the name of
 * the procedure.
 */
export const routeKind: Kind = {
  title: 'route',
  names: (sources) => [...namedEndpoints(sources).keys()],
  rows: (sources, name) => {
    const endpoint = namedEndpoints(sources).get(name)
    return endpoint === undefined ? [] : endpointRows(sources, endpoint)
  },
}

function namedEndpoints(sources: Sources): ReadonlyMap<string, Endpoint> {
  const procedures = new Map(
    [...sources.code.textOf('api/server/routes.ts').matchAll(/^ {2}'?([\w.]+)'?: (\w+),$/gm)].map(
      ([, name = '', constant = '']) => [constant, name],
    ),
  )
  return new Map(
    listEndpoints(sources).flatMap((endpoint) => {
      const names = [
        endpoint.title,
        endpoint.operationId,
        endpoint.entry && fieldOf(endpoint.entry.text, 'name'),
        procedures.get(endpoint.declaration?.name ?? ''),
      ]
      return names.flatMap((name) => (name === undefined ? [] : [[name, endpoint] as const]))
    }),
  )
}

function endpointRows(sources: Sources, endpoint: Endpoint): Row[] {
  const { declaration, entry } = endpoint
  const reachedDeclarations =
    declaration === undefined
      ? []
      : sources.declarations.reach([declaration], ({ path }) => /^api\/(writes|server|http|db)\//.test(path))
  const tables = reachedDeclarations
    .filter(({ path }) => path.startsWith('api/'))
    .flatMap(({ text }) => tablesIn(sources, text))
  const rows: Row[] = [
    { label: 'route', text: `${endpoint.title}: ${endpoint.summary}` },
    ...(declaration === undefined ? [] : [{ label: 'endpoint', place: declaration, text: declaration.name }]),
    ...(entry === undefined ? [] : writeRows(sources, endpoint)),
    ...statementRows(reachedDeclarations.map(({ path }) => path)),
    { label: 'tables', text: [...new Set(tables)].toSorted().join(', ') || 'none' },
    ...(entry === undefined ? [] : callRows(sources, /\w+Call\('(\w+)'\)/.exec(entry.text)?.[1] ?? '')),
    { label: 'details', text: listOr(endpoint.details()) },
    ...(entry === undefined
      ? []
      : [{ label: 'details', text: `every write: ${detailsIn(sources, /^api\/writes\//).join(', ')}` }]),
    { label: 'details', text: 'every request: those that api/server, api/http and api/errors name' },
  ]
  return [...rows, ...mentionRows(sources, endpoint)]
}

function listOr(details: readonly string[]): string {
  return details.length === 0 ? 'none of its own' : `at most: ${details.join(', ')}`
}

/**
 * Lists the tables that SQL statements in a text name. The statements may leave out the schema of the indexer's tables.
 */
function tablesIn(sources: Sources, text: string): string[] {
  const { tables } = sources
  const ofService = new Set(serviceTableKind.names(sources))
  const tableMatches = [
    ...text.matchAll(/\b(?:from|join|into|update|using)\s+(?:only )?((?:(?:market|service|analytics)[.])?[a-z_]+)\b/gi),
  ]
  return tableMatches.flatMap(([, name = '']) => {
    if (name.includes('.')) return [name]
    if (ofService.has(`service.${name}`)) return [`service.${name}`]
    return tables.some((table) => table.name === name) ? [`market.${name}`] : []
  })
}

function writeRows(sources: Sources, { entry, rules }: Endpoint): Row[] {
  return [
    ...(entry === undefined
      ? []
      : [{ label: 'entry', place: entry, text: `${fieldOf(entry.text, 'name')}: price, call and arguments` }]),
    ...sources.code
      .findAll(/^export (async )?function/m, 'api/writes/pipeline.ts')
      .slice(0, 1)
      .map((place) => ({ label: 'pipeline', place, text: 'every write; its stages: api/writes/stages' })),
    ...ruleRows(sources, rules),
  ]
}

function statementRows(paths: readonly string[]): Row[] {
  const files = [...new Set(paths)].filter((path) => path.endsWith('.queries.ts'))
  return files.length === 0 ? [] : [{ label: 'SQL', text: files.join(', ') }]
}

/** Lists the tests and documents that contain the operation's path, id or name. */
function mentionRows({ code }: Sources, { path, operationId, entry }: Endpoint): Row[] {
  const steps = path.split('/').map((step) => (step.startsWith('{') ? '[^/\'"`\\s]+' : literal(step)))
  const name = entry === undefined ? operationId : (fieldOf(entry.text, 'name') ?? operationId)
  const pattern = new RegExp(
    `${steps.join('/')}(?=['"\`\\s?)])|\\b${operationId}\\b|(?<![\\w.])${literal(name)}\\b`,
    'm',
  )
  return [
    ...listMentions(code, pattern, {
      label: 'tests',
      folders: ['test/api/', 'test/chain/', 'test/conformance/', 'test/scenarios/', 'test/unit/', 'test/client/'],
    }),
    ...listMentions(code, pattern, {
      label: 'docs',
      folders: code.paths.filter((page) => /^docs\/.*[.]md$/.test(page)),
      most: 5,
    }),
  ]
}
