import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { untilMined } from '../../../scripts/contracts/until-mined.ts'
import type { PreparedWrite } from '../client/operations.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { describe, expectAll, topologies } from '../inject/steps.ts'

const blacklistAbi = parseAbi([
  'function blacklister() view returns (address)',
  'function blacklist(address account)',
  'function unBlacklist(address account)',
])
const oneEther = '0xde0b6b3a7640000'
/** Attempts; one in three fee-paid writes is an acceptance. */
const maxAttempts = 30

/** The reward of a winner who cannot receive USDC is deferred: the acceptance completes. */
export const faultCases: readonly FaultCase[] = topologies.map((topology) => ({
  name: `blacklist: the winner of an acceptance, ${describe(topology)}`,
  topology,
  short: false,
  deadlineMs: 90_000,
  run,
}))

async function run(context: FaultCaseContext): Promise<void> {
  const { client, deployment } = context.environment
  const accept = await prepareAcceptance(context)
  const worker = accept.effect.args.worker as Address
  await setBlacklisted(context, worker, true)
  try {
    expectAll([await context.perform(accept)], 'completed')
    const deferred = await client.getContractEvents({
      address: deployment.market,
      fromBlock: context.environment.firstBlock,
      abi: parseAbi(['event PayoutDeferred(address indexed account, bytes32 indexed taskId, uint96 amount)']),
    })
    if (!deferred.some(({ args }) => args.taskId === accept.effect.args.taskId)) throw new Error('nothing was deferred')
  } finally {
    await setBlacklisted(context, worker, false)
  }
}

async function prepareAcceptance(context: FaultCaseContext): Promise<PreparedWrite> {
  for (let time = 0; time < maxAttempts; time += 1) {
    const [write] = await context.prepare('fee-paid')
    if (write?.operation === 'tasks.accept') return write
    if (write !== undefined) expectAll([await context.perform(write)], 'completed')
  }
  throw new Error(`no acceptance in ${maxAttempts} writes`)
}

async function setBlacklisted(
  { environment }: FaultCaseContext,
  account: Address,
  isBlacklisted: boolean,
): Promise<void> {
  const { anvil, client, deployment } = environment
  const from = await client.readContract({ address: deployment.usdc, abi: blacklistAbi, functionName: 'blacklister' })
  await anvil.request('anvil_setBalance', [from, oneEther])
  await anvil.request('anvil_impersonateAccount', [from])
  const functionName = isBlacklisted ? 'blacklist' : 'unBlacklist'
  const data = encodeFunctionData({ abi: blacklistAbi, functionName, args: [account] })
  const hash = (await anvil.request('eth_sendTransaction', [{ from, to: deployment.usdc, data }])) as Hex
  const { status } = await untilMined(anvil.request, hash)
  if (status !== '0x1') throw new Error(`${functionName} reverted`)
}
