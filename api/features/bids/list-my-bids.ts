import type { Context } from 'hono'
import type { Address, Hex } from 'viem'
import { z } from 'zod'
import type { Database } from '../../db/client.ts'
import { canViewTask } from '../../domain/visibility.ts'
import { endPage, nextPageHeaders, refuseUnknownAfter } from '../../http/next-page.ts'
import { queryIntegerOr } from '../../http/query.ts'
import { bytes32, uuid } from '../../http/request-schemas.ts'
import { anonymousRefusal, type CallerDeps, identify } from '../../identity/caller.ts'
import { actingDevice } from '../../identity/device-auth.ts'
import { listTaskAccess, type TaskAccess } from '../../read-model/task-visibility.queries.ts'
import { defineRoute } from '../define-route.ts'
import { toMyBid } from './bids.mapper.ts'
import { hasBid, type LiveBidRow, listLiveBids } from './bids.queries.ts'
import { myBidSchema } from './bids.schemas.ts'

const MAX_ROWS = 1000
/** The smallest number of bids that one query reads, even if the caller requests a smaller page. */
const MIN_STEP = 100

/**
 * Lists the caller's bids in running auctions. See the specification, "Claim, pitches, bids, proofs".
 *
 * Example: `GET /api/bids/my` answers `[{"taskId": "0xb4f0..", "auctionType": "english", ..}]`.
 */
export const listMyBids = defineRoute({
  operationId: 'listMyBids',
  method: 'get',
  path: '/bids/my',
  tag: 'bids',
  summary: "List the caller's bids in open auctions",
  description:
    'Of the wallet in the read-identity headers, else of the device’s: those whose bid deadline lies ahead, the next ' +
    'one first. A wallet with more than `limit` of them is read on with `after`, as `Link` says.',
  query: z.object({
    deviceId: uuid.optional().meta({ description: 'A device of the wallet; its token stands in the header.' }),
    limit: queryIntegerOr(MAX_ROWS, { min: 1, max: MAX_ROWS }),
    after: bytes32.optional().meta({ description: 'Only bids after the one in the task with this id.' }),
  }),
  needs: ['ReadIdentity', 'DeviceToken'],
  audience: 'caller-or-device',
  responses: {
    200: { description: 'The bids.', schema: z.array(myBidSchema), headers: nextPageHeaders },
    401: { description: 'The caller is anonymous: neither read identity nor device.' },
    403: { description: 'The wallet never signed for the device, or the device was ended.' },
  },
  handler: async (deps, { query }, context) => {
    const { deviceId, limit, after } = query
    const wallet = await walletOf(deps, context, deviceId)
    const { timestamp: now } = await deps.chain.head()
    const bids = await listVisibleBids(deps.sql, wallet, { now, limit: limit + 1, after })
    if (bids.length === 0 && after !== undefined) refuseUnknownAfter(await hasBid(deps.sql, wallet, after))
    const source = { path: '/bids/my', query }
    const rows = endPage(context, deps, { rows: bids, idOf: ({ taskId }) => taskId, source })
    return rows.map(toMyBid)
  },
})

/**
 * Lists the caller's bids in tasks that the caller may still see. The function reads bids in steps until the page is
 * full or no bid is left.
 */
async function listVisibleBids(
  sql: Database,
  wallet: Address,
  { now, limit, after }: { now: bigint; limit: number; after?: Hex | undefined },
): Promise<LiveBidRow[]> {
  const visibleRows: LiveBidRow[] = []
  const step = Math.max(limit, MIN_STEP)
  for (let last = after; ; ) {
    const rows = await listLiveBids(sql, wallet, { now, limit: step, after: last })
    const accessOfTasks = await listTaskAccess(
      sql,
      rows.map(({ taskId }) => taskId),
    )
    const isVisible = (access: TaskAccess | undefined) => access !== undefined && canViewTask(access, wallet)
    visibleRows.push(...rows.filter(({ taskId }) => isVisible(accessOfTasks.get(taskId))))
    last = rows.at(-1)?.taskId
    if (visibleRows.length >= limit || rows.length < step || last === undefined) return visibleRows.slice(0, limit)
  }
}

/**
 * Returns the wallet whose bids are requested: the wallet of the read identity, or else the wallet of the device.
 * @throws ServiceError 401 if the request has no identity or an unknown device. 403 if the device was ended, or if the
 * wallet did not sign for the device
 */
async function walletOf(deps: CallerDeps, context: Context, deviceId: string | undefined): Promise<Address> {
  const caller = identify(context, deps)
  const address = await caller.address()
  if (address !== null) return address
  if (deviceId !== undefined) return actingDevice(await caller.device({ deviceId })).wallet
  throw await anonymousRefusal(
    context,
    deps,
    'Say who asks: send the read-identity headers, or a device and its token.',
  )
}
