import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { type BonusAccount, type BonusCompletion, creditAwards } from '../../../protocol/rules/bonus.ts'
import { defaultBonusSetup } from '../../../scripts/contracts/bonus-setup.ts'

/** The table of docs/build/rewards.md, "Example", computed by the rules. */

const USDC = 1_000_000
const TOKEN = 10n ** 18n
const WEEK = 604_800n
const NOW = 1_760_000_000n
const { bounds, caps, ramp, terms } = defaultBonusSetup
const price = BigInt(40 * USDC)
const lock = { ...terms, tokenPerUsdc: 10n * TOKEN, price }

const fullRamp = { ...ramp, multiplierBps: [10_000, 10_000, 10_000, 10_000] as const }

function rowOf(label: string, changes: Partial<BonusCompletion>, requesterUsd = 0n): string {
  const completion: BonusCompletion = {
    requester: 'requester',
    feeBps: 750,
    isContest: false,
    terms: lock,
    bounds,
    caps: {
      globalUsd: BigInt(caps.globalUsd),
      workerUsd: BigInt(caps.workerUsd),
      requesterUsd: BigInt(caps.requesterUsd),
      taskUsd: BigInt(caps.taskUsd),
      globalTokens: caps.globalTokens,
    },
    ramp,
    lock,
    time: NOW,
    epoch: 3,
    usdOfEpoch: 0n,
    tokensOfEpoch: 0n,
    reserve: 1000n * TOKEN,
    ...changes,
  }
  const account = (weeks: bigint): BonusAccount => ({
    firstSeen: NOW - weeks * WEEK,
    epoch: 3,
    workerUsd: 0n,
    requesterUsd: 0n,
    claimable: 0n,
  })
  const accounts = new Map([
    ['worker', account(3n)],
    ['requester', { ...account(9n), requesterUsd }],
  ])
  const sides = creditAwards(completion, [{ worker: 'worker', amount: price, rank: 1 }], accounts)
  const cells = sides.flatMap((side) =>
    side.skipped === null
      ? [`${Number(side.usdCredited) / USDC}`, `${Number(side.credited) / 1e18}`]
      : ['skipped', 'skipped'],
  )
  return `| ${[label, ...cells].join(' | ')} |`
}

test('given the example of docs/build/rewards.md, when the rules compute it, then its table has their numbers', () => {
  const text = readFileSync(join(repositoryRoot, 'docs', 'build', 'rewards.md'), 'utf8')
  const table = text.slice(text.indexOf('<!-- example:')).split('\n').slice(4, 8)
  const used = BigInt(caps.requesterUsd) - 200_000n
  expect(table).toEqual([
    rowOf('divided', { ramp: fullRamp }),
    rowOf('times age', {}),
    rowOf('the requester has 0.2 USDC left of its cap', {}, used),
    rowOf('7 tokens are in reserve', { reserve: 7n * TOKEN }),
  ])
})
