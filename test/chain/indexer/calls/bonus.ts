import type { Address } from 'viem'
import { bonusHookAbi } from '../../../../abis/bonus-hook.ts'
import { devAccount } from '../../../../scripts/chain/dev-accounts.ts'
import { readArtifact } from '../../../../scripts/contracts/artifacts.ts'
import { actorAddresses, direct, market } from '../market-calls.ts'
import { type Call, encodeCall, type MarketChain } from '../market-chain.ts'
import type { Random } from '../random.ts'

const owner = devAccount('owner').account.address
const USDC = 1_000_000
const TOKEN = 10n ** 18n

/** The programme and its token. @throws on a chain without one */
export function bonusOf({ deployment }: MarketChain): { bonusHook: Address; rewardToken: Address } {
  const { bonusHook, rewardToken } = deployment
  if (bonusHook === undefined || rewardToken === undefined) throw new Error('this chain has no programme of bonuses')
  return { bonusHook, rewardToken }
}

/** Makes the programme the default hook, and gives the owner tokens and the programme a reserve. */
export function startBonus(chain: MarketChain): Call[] {
  const { bonusHook, rewardToken } = bonusOf(chain)
  const token = (name: string, args: unknown[]) => ({
    from: owner,
    to: rewardToken,
    data: encodeCall(readArtifact('LocalRewardToken').abi, name, args),
  })
  return [
    direct(chain, owner, market('setDefaultHooks', [[bonusHook]])),
    token('mint', [owner, 10n ** 9n * TOKEN]),
    token('approve', [bonusHook, 10n ** 9n * TOKEN]),
    hook(chain, owner, 'fundReserve', [10_000n * TOKEN]),
  ]
}

/** Changes of the programme by its owner, and withdrawals of actors; on average less than two a block. */
export function chooseBonusCalls(chain: MarketChain, random: Random): Call[] {
  const { bonusHook } = bonusOf(chain)
  // Other random calls of the owner attach other hooks.
  const attach = direct(chain, owner, market('setDefaultHooks', [[bonusHook]]))
  const cap = () => random.pick([0, USDC, 20 * USDC, 100 * USDC, 250 * USDC, 5000 * USDC])
  const choices: (() => Call)[] = [
    () => hook(chain, owner, 'setRate', [random.pick([0n, TOKEN, 10n * TOKEN, 10n * TOKEN, 30n * TOKEN])]),
    () => hook(chain, owner, 'setBonusBps', [random.pick([0, 750, 750, 2500])]),
    () => hook(chain, owner, 'setWorkerSplit', [random.pick([0, 5000, 8000, 10_000])]),
    () =>
      hook(chain, owner, 'setCaps', [
        {
          globalUsd: random.pick([50, 5000]) * USDC,
          workerUsd: cap(),
          requesterUsd: cap(),
          taskUsd: cap(),
          globalTokens: random.pick([TOKEN, 1000n * TOKEN, 2n ** 128n - 1n]),
        },
      ]),
    () =>
      hook(chain, owner, 'setRamp', [
        {
          afterSeconds: random.pick([
            [60, 600, 6000],
            [1_209_600, 2_419_200, 4_838_400],
          ]),
          multiplierBps: random.pick([
            [0, 2500, 5000, 10_000],
            [10_000, 10_000, 10_000, 10_000],
          ]),
        },
      ]),
    () =>
      hook(chain, owner, 'setBounds', [{ maxBonusPerFeeBps: random.pick([5000, 10_000]), maxRateDriftBps: 20_000 }]),
    () => hook(chain, owner, 'fundReserve', [BigInt(random.below(100)) * TOKEN]),
    () => hook(chain, owner, 'takeReserve', [owner, BigInt(1 + random.below(100)) * TOKEN]),
  ]
  const withdraw = () => {
    const from = random.pick(actorAddresses)
    return hook(chain, from, 'withdraw', [random.pick([from, ...actorAddresses])])
  }
  return [
    ...(random.chance(0.9) ? [attach] : []),
    ...(random.chance(0.15) ? [random.pick(choices)()] : []),
    ...(random.chance(0.3) ? [withdraw()] : []),
  ]
}

/** A change of the programme by its owner. */
export function ownerCall(chain: MarketChain, name: string, args: unknown[]): Call {
  return hook(chain, owner, name, args)
}

function hook(chain: MarketChain, from: Address, name: string, args: unknown[]): Call {
  return { from, to: bonusOf(chain).bonusHook, data: encodeCall(bonusHookAbi, name, args) }
}
