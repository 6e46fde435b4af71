import { beforeAll, expect, test } from 'vitest'
import { candidateIdsQuery } from '../../../api/features/tasks/worklists/action-queue.queries.ts'
import { inboxQuery, inboxSections } from '../../../api/features/tasks/worklists/inbox.queries.ts'
import { createApp } from '../../../api/server/app.ts'
import { loadWalletTasks } from '../../bench/reads/wallet-rows.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { byDepth } from '../../support/depth.ts'
import { START } from '../../support/rows/insert-row.ts'
import { costOf } from '../db/statement-cost.ts'
import { countStatements } from '../read-model/counted-statements.ts'
import { onDatabase } from '../read-model/primary-reads.ts'
import { aStartedApi } from '../writes/started-api.ts'

/** How many times the tasks of `regular` `veteran` has: more than the rows that may be read for them. */
const TIMES = byDepth(5, 10)
/** With 1,000 tasks in each of the five parts that are looked through, and with many times as many. */
const [regular, veteran] = [anActor(), anActor()]

const api = aStartedApi()
beforeAll(async () => {
  await api.seed.task({ requester: anActor().address })
  const now = Number(START)
  await loadWalletTasks(api.sql, { address: regular.address, tasks: 5_000, now })
  await loadWalletTasks(api.sql, { address: veteran.address, tasks: 5_000 * TIMES, now })
  await api.sql`analyze`
})

test.each([true, false])(
  `given ${TIMES} times the tasks, when the address itself asks (%s), then at most four times the rows are read`,
  async (isOwn) => {
    const inbox = ({ address }: Actor) =>
      inboxQuery(api.sql, address, { isOwn, sections: inboxSections, limit: 201 }) ?? expect.fail('no statement')
    const candidates = ({ address }: Actor) => candidateIdsQuery(api.sql, address, isOwn)
    for (const statement of [inbox, candidates]) {
      const [fewer, more] = [await costOf(api.sql, statement(regular)), await costOf(api.sql, statement(veteran))]
      expect([fewer.whole, more.whole].flat().filter((table) => table !== 'task_viewers')).toEqual([])
      expect(fewer.rows).toBeGreaterThan(500)
      // Where a part is a few times what is asked of it, the planner may read all of it and sort.
      expect(more.rows).toBeLessThan(fewer.rows * 4)
    }
  },
)

test.each(['inbox', 'action-queue'])(
  'given thousands of tasks, then /agents/%s takes at most four statements',
  async (list) => {
    for (const owner of [regular, veteran]) {
      for (const headers of [{}, await readHeadersOf(owner)]) {
        const { sql, count } = countStatements(api.sql)
        const response = await createApp(onDatabase(api.deps, sql)).request(
          `/api/agents/${list}?address=${owner.address}`,
          {
            headers,
          },
        )
        expect(response.status).toBe(200)
        expect(count()).toBe(list === 'inbox' ? 2 : 4)
      }
    }
  },
)

test('given thousands of tasks, then 200 items are shown and totals end at 1000', async () => {
  const { body } = await api.get(`/api/agents/action-queue?address=${veteran.address}`, await readHeadersOf(veteran))
  expect([body.items.length, body.waiting.length, body.total]).toEqual([200, 200, 1000])
  const inbox = await api.get(`/api/agents/inbox?address=${veteran.address}`, await readHeadersOf(veteran))
  expect([inbox.body.asRequester.length, inbox.body.asWorker.length]).toEqual([200, 200])
})
