import { listEndpoints } from '../endpoints.ts'
import { detailsIn, detailTable, everyRequest } from '../refusals.ts'
import { fieldOf, type Kind, listEntries, listUses, type Row, type Sources } from '../sources.ts'

const reasonTable = 'protocol/reasons.ts'

/** Details of errors: `consent_required`. */
export const detailKind: Kind = {
  title: 'error detail',
  names: ({ code }) => listEntries(code, detailTable).map(({ name }) => name),
  rows: (sources, name) => {
    const entry = listEntries(sources.code, detailTable).find((candidate) => candidate.name === name)
    if (entry === undefined) return []
    return [
      { label: 'detail', place: entry, text: fieldOf(entry.text, 'meaning') ?? '' },
      { label: 'remedy', text: fieldOf(entry.text, 'remedy') ?? '' },
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

/** Reasons of errors: `payment_rejected`. */
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
