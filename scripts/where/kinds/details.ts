import { endOf } from '../code.ts'
import { listEndpoints } from '../endpoints.ts'
import { detailsIn, detailTable, everyRequest } from '../refusals.ts'
import { fieldOf, type Kind, listEntries, listUses, type Row, type Sources } from '../sources.ts'

const reasonTable = 'protocol/reasons.ts'

/** Kind of name: details of errors. Example: `consent_required`. */
export const detailKind: Kind = {
  title: 'error detail',
  names: ({ code }) => listEntries(code, detailTable).map(({ name }) => name),
  rows: (sources, name) => {
    const entry = listEntries(sources.code, detailTable).find((candidate) => candidate.name === name)
    if (entry === undefined) return []
    return [
      { label: 'detail', place: entry, text: fieldOf(entry.text, 'meaning') ?? '' },
      { label: 'remedy', text: fieldOf(entry.text, 'remedy') ?? '' },
      ...statusRows(sources, name),
      { label: 'page', text: `/docs/errors/${name}` },
      ...listUses(sources.code, name, {
        label: 'refused',
        folders: ['api/', 'protocol/', 'graphql/'],
        except: detailTable,
      }).filter(isCode),
      ...answeringRows(sources, name),
      ...listUses(sources.code, name, { label: 'client', folders: ['client/src/', 'web/'] }),
      ...listUses(sources.code, name, { label: 'tests', folders: ['test/'] }).slice(0, 6),
    ]
  },
}

/** Kind of name: reasons of errors. Example: `payment_rejected`. */
export const reasonKind: Kind = {
  title: 'error reason',
  names: ({ code }) => listEntries(code, reasonTable).map(({ name }) => name),
  rows: ({ code }, name) => [
    ...listEntries(code, reasonTable)
      .filter((entry) => entry.name === name)
      .map((place) => ({ label: 'reason', place, text: `statuses ${/\[(.*?)\]/.exec(place.text)?.[1]}` })),
    ...listUses(code, name, { label: 'answered', folders: ['api/'] }).filter(isCode),
    ...listUses(code, name, { label: 'tests', folders: ['test/conformance/', 'test/api/'] }).slice(0, 6),
  ],
}

function isCode({ place }: Row): boolean {
  return place?.path.endsWith('.ts') === true
}

function answeringRows(sources: Sources, name: string): Row[] {
  const answeringEndpoints = listEndpoints(sources).filter((endpoint) => endpoint.details().includes(name))
  const every = [
    ...(detailsIn(sources, /^api\/writes\//).includes(name) ? ['every write'] : []),
    ...(detailsIn(sources, everyRequest).includes(name) ? ['every request'] : []),
  ]
  const routes = [...every, ...answeringEndpoints.map(({ title }) => title)]
  return routes.length === 0 ? [] : [{ label: 'routes', text: routes.join(', ') }]
}

/**
 * Returns the HTTP statuses and reasons of a detail, from the calls of `refuse` and `ServiceError` that contain the
 * detail.
 */
function statusRows({ code }: Sources, name: string): Row[] {
  const reasons = listEntries(code, reasonTable).map((entry) => entry.name)
  const answers = code
    .findAll(new RegExp(`'${name}'`, 'm'), 'api/')
    .filter(({ path }) => path.endsWith('.ts'))
    .flatMap(({ path }) => callsWithStatus(code.textOf(path)).filter((call) => call.includes(`'${name}'`)))
    .flatMap((call) => {
      const [, status = ''] = /\((?:\s*)(\d+)/.exec(call) ?? []
      const named = reasons.filter((reason) => call.includes(`'${reason}'`))
      return (named.length > 0 ? named : [reasonOfRefusal(call, status)]).map((reason) => `${status} ${reason}`)
    })
  return answers.length === 0 ? [] : [{ label: 'status', text: [...new Set(answers)].toSorted().join(', ') }]
}

function callsWithStatus(text: string): string[] {
  return [...text.matchAll(/\b(?:refuse|ServiceError)\(\s*\d{3},/g)].map(({ 0: head, index }) =>
    text.slice(index, endOf(text, index + head.indexOf('('))),
  )
}

/**
 * Returns the reason in the answer if a rule refuses an action. `api/writes/stages/admit.ts` chooses it in the same
 * way.
 */
function reasonOfRefusal(call: string, status: string): string {
  if (status === '429') return 'unclassified'
  return call.includes('payerMismatch') ? 'payment_payer_mismatch' : 'payment_preflight_rejected'
}
