import { type Address, toFunctionSelector } from 'viem'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { readArtifact } from '../../../scripts/contracts/artifacts.ts'
import { runForge } from '../../../scripts/contracts/forge.ts'
import { type Call, encodeCall, type MarketChain } from './market-chain.ts'
import type { Random } from './random.ts'

/** Hooks by behaviour: always admit, fail where they have no veto, change their answer. */
export const hookAddresses = {
  agreeing: `0x${'a9'.repeat(20)}`,
  failing: `0x${'fa'.repeat(20)}`,
  moody: `0x${'3d'.repeat(20)}`,
} as const satisfies Record<string, Address>

const owner = devAccount('owner').account.address

/** The steps of ScriptedHook.sol. */
const behaviours = { agree: 0, refuse: 1, revert: 2, loop: 3, bomb: 4, mumble: 5 } as const

/** Steps without a veto, where a failure is logged. */
const vetoless = ['checkEvaluate', 'onComplete', 'onForfeit', 'onCancel', 'onExpire']

/** Deploys the hooks: the contract of the market's tests. */
export async function placeHooks(chain: MarketChain): Promise<void> {
  const { exitCode, output } = await runForge(['build', 'test/support/ScriptedHook.sol'])
  if (exitCode !== 0) throw new Error(`forge build failed\n${output}`)
  const { deployedBytecode } = readArtifact('ScriptedHook')
  for (const address of Object.values(hookAddresses)) await chain.setCode(address, deployedBytecode.object)
  for (const step of vetoless) await chain.send(script(hookAddresses.failing, step, 'revert'))
  await chain.mine()
}

/** Changes the behaviour of one hook at one step. */
export function scriptHook(random: Random): Call {
  const names = random.chance(0.7) ? (['agree'] as const) : (['refuse', 'revert', 'loop', 'bomb', 'mumble'] as const)
  const behaviour = random.pick<keyof typeof behaviours>(names)
  // Only one of them may veto: with a default hook that always vetoes, nothing could be indexed.
  return random.chance(0.3)
    ? script(hookAddresses.failing, random.pick(vetoless), behaviour)
    : script(hookAddresses.moody, random.pick(listSteps()), behaviour)
}

function listSteps(): string[] {
  const names = readArtifact('ITaskHook').abi.flatMap((item) => (item.type === 'function' ? [item.name] : []))
  return names.filter((name) => /^(check|on)[A-Z]/.test(name))
}

function script(hook: Address, step: string, behaviour: keyof typeof behaviours): Call {
  const item = readArtifact('ITaskHook').abi.find(
    (candidate) => candidate.type === 'function' && candidate.name === step,
  )
  if (item?.type !== 'function') throw new Error(`hooks have no step ${step}`)
  const args = [toFunctionSelector(item), behaviours[behaviour]]
  return { from: owner, to: hook, data: encodeCall(readArtifact('ScriptedHook').abi, 'script', args) }
}
