import type { Address, Hex } from 'viem'
import { setCurationStatus } from '../../../api/read-model/vault-curation.queries.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import type { TestApi } from '../../support/api.ts'
import { storeArtifactBytes } from '../../support/artifact-bytes.ts'
import { insertDay } from '../../support/rows/day-rows.ts'
import { aHash, aPosition, insertRow, START } from '../../support/rows/insert-row.ts'
import type { TaskColumns, TaskTexts } from '../../support/rows/task-rows.ts'
import { insertCharge, insertVault } from '../../support/vault-rows.ts'
import { hostileFileName, hostileName, hostileText } from './hostile-texts.ts'

const addressOf = (role: 'requester' | 'alice' | 'bob') => devAccount(role).account.address.toLowerCase() as Address

/** The accounts of the rows: demo wallets, so that a page can connect them. */
export const actors = { requester: addressOf('requester'), alice: addressOf('alice'), bob: addressOf('bob') }

/** What the rows of a hostile market are found by. */
export interface HostileMarket {
  /** Paths of the pages of tasks, by their state. */
  tasks: Record<'open' | 'paid' | 'pitch' | 'bids' | 'clock' | 'benchmark' | 'review' | 'private' | 'sponsored', string>
  /** Id of a file of the open task. */
  artifact: string
  drop: string
  vault: Hex
  /** A vault whose token says neither name nor symbol nor decimals. */
  unnamedVault: Hex
}

/**
 * Fills every text of the market that strangers write with hostile ones, in tasks of each mode and in most states. Each begins
 * with its place, such as `description`.
 */
export async function seedHostileMarket(api: TestApi): Promise<HostileMarket> {
  const { seed, sql } = api
  const tag = hostileName('tag').slice(0, 60)
  await seed.tags(tag)
  for (const [index, role] of (['requester', 'alice', 'bob'] as const).entries()) {
    await seed.agent(actors[role], {
      agentId: BigInt(index + 1),
      completedTasks: 3,
      ratings: [90, 10],
      skills: { [tag]: 2 },
    })
  }
  const task = async (columns: Partial<TaskColumns> = {}, texts: Partial<TaskTexts> = {}) =>
    await seed.task(
      { requester: actors.requester, ...columns },
      { description: hostileText('description'), tags: [tag], ...texts },
    )
  const deliver = async ({ id }: TaskColumns, worker: Address) => {
    const { artifactIds } = await seed.submission(id, worker, { files: [hostileFileName('file')] })
    for (const artifact of artifactIds) await storeArtifactBytes(api.deps, artifact, Buffer.from('text'))
    await sql`update service.artifacts set text_preview = ${hostileText('preview')} where id in ${sql(artifactIds)}`
    return artifactIds[0] ?? ''
  }

  const open = await task()
  const artifact = await deliver(open, actors.alice)
  const drop = await seed.drop(actors.requester, {
    name: hostileName('drop name'),
    description: hostileText('drop text'),
  })
  await seed.dropMember(drop, open)

  const paid = await task()
  await deliver(paid, actors.alice)
  await seed.award(paid.id, actors.alice, { rating: 10 })
  await seed.rating(paid, actors.alice, 10, hostileText('feedback'))

  const pitch = await task({ mode: 'pitch', pitchDeadline: START + 3_600n })
  await seed.pitch(pitch.id, actors.bob, { pitchText: hostileText('pitch'), estimatedDuration: 3n })

  const bidding = { mode: 'auction', bidDeadline: START + 3_600n } as const
  const bids = await task({ ...bidding, auctionType: 'english' })
  await seed.bid(bids, actors.bob, 4_000_000n)
  const clock = await task({ ...bidding, auctionType: 'dutch', clockPrice: 1_000_000n })

  const metric = { metricDescription: hostileText('metric'), metricTarget: hostileName('target') }
  const benchmark = await task({ mode: 'benchmark' }, metric)
  await seed.proof(benchmark.id, actors.bob, { proofData: hostileText('proof'), proofType: 'text' })
  await seed.proof(benchmark.id, actors.alice, { proofData: 'javascript:alert(10)' })
  await seed.proof(benchmark.id, actors.requester, { proofData: `https://evil.example/${'u'.repeat(400)}` })

  const assigned = { mode: 'claim', worker: actors.alice } as const
  const review = await task({ ...assigned, status: 'review', evaluatorDeadline: START + 7_200n })
  await deliver(review, actors.alice)
  await seed.evaluation(review.id, actors.bob)

  const secret = await task({}, { taskVisibility: 'private' })

  await sql`
    insert into arrival values
      ('1', '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', ${api.deps.deployment.market}, ${actors.requester}, ${'9'.repeat(60)}, 1, ${START}, ${aHash()}, 0, 0)`
  for (const day of ['2029-12-30', '2029-12-31']) await insertDay(sql, day)

  const [vault, unnamedVault] = [aHash(), aHash()]
  const names = { tokenName: hostileName('token name'), tokenSymbol: hostileName('symbol'), tokenDecimals: 18 }
  const totals = {
    available: '9'.repeat(60),
    reserved: '1',
    owed: '1000000000000000000',
    fees: '0',
    fundedTotal: '9'.repeat(60),
  }
  await insertVault(sql, { vaultId: vault, names, totals })
  const unnamed = { tokenName: null, tokenSymbol: null, tokenDecimals: null }
  await insertVault(sql, { vaultId: unnamedVault, token: `0x${'b2'.repeat(20)}`, names: unnamed, totals })
  for (const vaultId of [vault, unnamedVault]) {
    await setCurationStatus(sql, { vaultId, status: 'approved', curator: actors.bob, timestamp: START })
  }
  await insertRow(sql, 'vaultManager', {
    id: `${vault}:${actors.requester}`,
    vaultId: vault,
    manager: actors.requester,
    spendCap: '9'.repeat(60),
    spent: 1n,
    active: true,
    ...aPosition(),
  })
  const sponsored = await task()
  await deliver(sponsored, actors.alice)
  await seed.award(sponsored.id, actors.alice)
  const charge = { vaultId: vault, taskId: sponsored.id, state: 'settled', gross: '1000000000000000000' }
  await insertCharge(sql, { ...charge, credited: charge.gross })

  const pathOf = ({ referenceCode }: TaskColumns) => `/tasks/${referenceCode}`
  return {
    tasks: {
      open: pathOf(open),
      paid: pathOf(paid),
      pitch: pathOf(pitch),
      bids: pathOf(bids),
      clock: pathOf(clock),
      benchmark: pathOf(benchmark),
      review: pathOf(review),
      private: pathOf(secret),
      sponsored: pathOf(sponsored),
    },
    artifact,
    drop,
    vault,
    unnamedVault,
  }
}
