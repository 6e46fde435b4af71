import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { appendEvents } from '../../../api/events/append-events.ts'
import { eventOut } from '../../../api/features/events/events.schemas.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'

const api = aStartedApi()
beforeAll(async () => {
  const rows = await readFile(new URL('../../support/sql/ledger-rows.sql', import.meta.url), 'utf8')
  await api.sql.unsafe(`set ledger.blocks = 40; ${rows}`).simple()
  // Events of tasks have tests on a whole chain; these rows lack their arguments.
  await api.sql`delete from task_event`
  const place = { blockNumber: 1n, blockTimestamp: START, transactionHash: aHash(), transactionIndex: 0, logIndex: 9 }
  const settled = { vaultId: aHash(), taskId: aHash(), epoch: 0, root: aHash(), total: '7', ...place }
  await api.sql`insert into vault_settlement ${api.sql({ id: `${settled.vaultId}:${settled.taskId}`, ...settled })}`
  const args = { to: `0x${'ab'.repeat(20)}`, epoch: '1', defaulted: '2', returned: '9' }
  const [vault] = await api.sql<{ vaultId: string }[]>`select vault_id from sponsored_vault limit 1`
  const exit = { id: `${vault?.vaultId}:99999`, vaultId: vault?.vaultId ?? '', ordinal: 99_999, name: 'Exited' }
  await api.sql`insert into vault_event ${api.sql({ ...exit, args: api.sql.json(args), ...place } as never)}`
  const registered = { agentId: 7n, account: `0x${'ab'.repeat(20)}`, ...place }
  await api.sql`insert into identity_registration ${api.sql(registered)}`
  await api.sql`delete from indexed_head`
  await api.sql`insert into indexed_head ${api.sql({ blockNumber: 1_000n, blockTimestamp: START, checkpoint: '' })}`
  while ((await appendEvents(api)) === 0);
})

test.each([
  ['bonus.credited', 'amount', 'select credited as amount from bonus_credit'],
  ['bonus.withdrawn', 'amount', 'select amount from bonus_withdrawal'],
  ['vault.funded', 'amount', `select (args->>'amount')::numeric as amount from vault_event where name = 'Funded'`],
  ['vault.exited', 'returned', `select (args->>'returned')::numeric as amount from vault_event where name = 'Exited'`],
  ['settlement.installed', 'total', 'select total as amount from vault_settlement'],
  ['reward.claimed', 'amount', 'select amount from vault_claim'],
  ['agent.registered', 'agentId', 'select agent_id as amount from identity_registration'],
])(
  'given rows of %s, then each is an entry that fits its schema, with its amount or id',
  async (kind, field, query) => {
    const { body } = await api.get(`/api/events?kind=${kind}&limit=500`)
    const told = body.events.map((event: unknown) =>
      String((eventOut.parse(event).data as Record<string, unknown>)[field]),
    )
    const rows = await api.sql.unsafe<{ amount: bigint }[]>(query)
    expect(rows.length).toBeGreaterThan(0)
    expect(told.sort()).toEqual(rows.map(({ amount }) => String(amount)).sort())
  },
)
