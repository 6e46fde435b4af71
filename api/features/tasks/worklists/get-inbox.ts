import type { Context } from 'hono'
import { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import { canViewTask, isInScope, scopeOf } from '../../../domain/visibility.ts'
import { linkNextPage } from '../../../http/next-page.ts'
import { invalidRequest } from '../../../http/parse.ts'
import { queryIntegerOr } from '../../../http/query.ts'
import { address } from '../../../http/request-schemas.ts'
import { callerOf } from '../../../identity/caller.ts'
import { defineRoute } from '../../define-route.ts'
import { toAccessFacts } from '../access-facts.ts'
import type { TaskRow } from '../task-row.ts'
import { toTask } from '../tasks.mapper.ts'
import { listTaskRows } from '../tasks.queries.ts'
import { type InboxEntry, type InboxPosition, type InboxSection, inboxSections, listInbox } from './inbox.queries.ts'
import { type Inbox, inboxSchema } from './worklists.schemas.ts'

/** The largest number of tasks of one section in one answer. */
export const SECTION_ROWS = 200

const querySchema = z.object({
  address,
  section: z.enum(inboxSections).optional().meta({ description: 'Only this section; the others come back empty.' }),
  limit: queryIntegerOr(SECTION_ROWS, { min: 1, max: SECTION_ROWS }),
  after: z
    .string()
    .regex(/^(running|ended)-[0-9]{1,15}$/, { error: 'must be taken from a Link header' })
    .transform(toPosition)
    .optional()
    .meta({ description: 'Only tasks behind this place of the section, as `Link` says.' }),
})

/**
 * Returns the tasks of an address, with one section for each role of the address. See the specification, "Agents and
 * identity", and the interface specification, "Agents, inbox, action queue".
 *
 * Example: `GET /api/agents/inbox?address=0x14dC..` answers `{"asRequester": [], "asWorker": [], "invitedPrivateTasks":
 * [{..}]}`.
 */
export const getInbox = defineRoute({
  operationId: 'getInbox',
  method: 'get',
  path: '/agents/inbox',
  tag: 'agents',
  summary: "List an address's tasks",
  description:
    'Created by the address, claimed by it, awarded to it or entered by it; and private tasks that it is invited to. With the ' +
    'read-identity headers of the address all of them; without, those of public tasks, but for bids, and for submissions ' +
    'that the task shows to no other caller now. Running tasks first, then the newest. A section with more than 200 ' +
    'tasks has a `Link` of its own, whose answer has the next ones. `pendingActions` is empty: see the action queue.',
  query: querySchema,
  audience: 'caller',
  responses: {
    200: {
      description: 'Three sections.',
      schema: inboxSchema,
      headers: { Link: 'One for each section that goes on: `<url>; rel="next"; title="asWorker"`.' },
    },
  },
  handler: async (deps, { query }, context) => {
    if (query.after !== undefined && query.section === undefined) {
      throw invalidRequest([{ path: 'section', message: 'is required with after' }])
    }
    const isOwn = (await callerOf(context, deps)) === query.address
    const sections = query.section === undefined ? inboxSections : [query.section]
    const options = { isOwn, sections, after: query.after, limit: query.limit + 1 }
    const entries = await listInbox(deps.sql, query.address, options)
    const pages = new Map(
      [...entries].map(([name, entries]) => [name, endSection(deps, context, name, entries, query)]),
    )
    return await toInbox(deps, pages, { isOwn, address: query.address })
  },
})

type Query = z.output<typeof querySchema>

/**
 * Returns the entries of the requested page. If the section has more entries, adds a `Link` header with the URL of the
 * next page.
 */
function endSection(
  deps: Pick<Deps, 'config'>,
  context: Context,
  section: InboxSection,
  entries: readonly InboxEntry[],
  query: Query,
): readonly InboxEntry[] {
  const page = entries.slice(0, query.limit)
  const last = page.at(-1)
  if (entries.length > page.length && last !== undefined) {
    const after = `${last.running ? 'running' : 'ended'}-${last.createdAtMs}`
    const { address: owner, limit } = query
    const next = { address: owner, section, after, ...(limit < SECTION_ROWS && { limit: String(limit) }) }
    linkNextPage(context, deps, { path: '/agents/inbox', query: next, title: section })
  }
  return page
}

async function toInbox(
  deps: Pick<Deps, 'config' | 'sql' | 'chain'>,
  pages: ReadonlyMap<InboxSection, readonly InboxEntry[]>,
  { isOwn, address: owner }: { isOwn: boolean; address: Query['address'] },
): Promise<Inbox> {
  const ids = new Set([...pages.values()].flat().map(({ id }) => id))
  const [rows, { timestamp: now }] = await Promise.all([listTaskRows(deps.sql.byKey, [...ids]), deps.chain.head()])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const isShown = ({ isPublicPart }: InboxEntry, row: TaskRow) => {
    const task = toAccessFacts(row)
    if (isOwn) return canViewTask(task, owner)
    const scope = task.taskVisibility === 'public' && scopeOf('submissions', task, { address: null, holdsGrant: false })
    return scope && (isPublicPart || isInScope(scope, owner))
  }
  const toSection = (name: InboxSection) =>
    (pages.get(name) ?? []).flatMap((entry) => {
      const row = byId.get(entry.id)
      if (row === undefined || !isShown(entry, row)) return []
      return [toTask(row, [], { now, serviceName: deps.config.SERVICE_NAME })]
    })
  return {
    asRequester: toSection('asRequester'),
    asWorker: toSection('asWorker'),
    invitedPrivateTasks: toSection('invitedPrivateTasks'),
  }
}

function toPosition(text: string): InboxPosition {
  const [kind, createdAtMs = '0'] = text.split('-')
  return { running: kind === 'running', createdAtMs: BigInt(createdAtMs) }
}
