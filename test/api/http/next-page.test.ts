import { expect, test } from 'vitest'
import { anActor, readHeadersOf } from '../../support/actors.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'

/** Interface, "Corrections after the first build": plain arrays that can grow. Nothing ends silently. */

const alice = anActor()
const requester = anActor().address
const ROWS = 5

const api = aStartedApi()

/** Fills a list with `ROWS` rows; returns its path below `/api`, with the rest of its query. */
const lists: Record<string, () => Promise<string>> = {
  submissions: async () => {
    const { id } = await api.seed.task({ requester })
    for (let row = 0; row < ROWS; row += 1) await api.seed.submission(id, alice.address)
    return `/tasks/${id}/submissions?`
  },
  pitches: async () => {
    const { id } = await api.seed.task({ requester, mode: 'pitch' })
    for (let row = 0; row < ROWS; row += 1) await api.seed.pitch(id, alice.address)
    return `/tasks/${id}/pitches?`
  },
  proofs: async () => {
    const { id } = await api.seed.task({ requester, mode: 'benchmark' })
    for (let row = 0; row < ROWS; row += 1) await api.seed.proof(id, alice.address)
    return `/tasks/${id}/proofs?`
  },
  'submissions/mine': async () => {
    const worker = anActor()
    const { id } = await api.seed.task({ requester })
    for (let row = 0; row < ROWS; row += 1) await api.seed.submission(id, worker.address)
    return `/submissions/mine?workerAddress=${worker.address}&`
  },
  'bids/my': async () => {
    for (let row = 0; row < ROWS; row += 1) {
      const task = await api.seed.task({
        requester,
        mode: 'auction',
        auctionType: 'english',
        bidDeadline: START + 3600n,
      })
      await api.seed.bid(task, alice.address, 900n)
    }
    return '/bids/my?'
  },
}

/** The pages of a list, each found by the `Link` of the one before. */
async function readPages(first: string): Promise<unknown[][]> {
  const pages: unknown[][] = []
  const headers = await readHeadersOf(alice)
  for (let path: string | undefined = `/api${first}`; path !== undefined; ) {
    const answer = await api.get(path, headers)
    expect(answer.status).toBe(200)
    pages.push(answer.body)
    const link: string | undefined = /^<http:\/\/127\.0\.0\.1:3000(.*)>; rel="next"$/.exec(
      answer.headers.get('link') ?? '',
    )?.[1]
    expect(answer.headers.has('link')).toBe(link !== undefined)
    path = link
  }
  return pages
}

test.each(Object.keys(lists))(
  '%s: links lead through all rows; what is no row or no length is refused',
  async (name) => {
    const path = (await lists[name]?.()) ?? expect.fail(name)
    const [all = []] = await readPages(path)
    expect(all).toHaveLength(ROWS)
    for (const limit of [1, 2, ROWS - 1, ROWS, ROWS + 1]) {
      const pages = await readPages(`${path}limit=${limit}`)
      expect(pages.flat()).toEqual(all)
      expect(pages).toHaveLength(Math.ceil(ROWS / limit))
    }
    const headers = await readHeadersOf(alice)
    const wrong = ['limit=0', 'limit=1001', 'limit=x', 'after=1', `after=${aHash()}`]
    // Of another task.
    if (path.startsWith('/tasks/')) wrong.push(`after=${(await api.get(`/api${await lists[name]?.()}`)).body[0].id}`)
    for (const query of wrong) {
      expect([query, await api.get(`/api${path}${query}`, headers)]).toMatchObject([
        query,
        { status: 400, body: { service: { reason: 'unclassified' }, issues: [{ path: query.split('=')[0] }] } },
      ])
    }
  },
)

test('a procedure says the same in its header', async () => {
  const path = (await lists.pitches?.()) ?? ''
  const taskId = path.split('/')[2]
  const input = encodeURIComponent(JSON.stringify({ taskId, limit: 2 }))
  const { headers, body } = await api.get(`/trpc/pitches.list?input=${input}`)
  const last = body.result.data[1].id
  expect(headers.get('link')).toBe(
    `<http://127.0.0.1:3000/api/tasks/${taskId}/pitches?limit=2&after=${last}>; rel="next"`,
  )
})
