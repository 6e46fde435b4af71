import { encodeFunctionData, parseEther, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { usdcAbi } from '../../../abis/usdc.ts'
import { type Call, connect, sendAll } from '../../../scripts/contracts/chain.ts'
import { mintLocalUsdc } from '../../../scripts/contracts/deploy.ts'
import { aBounty } from '../../chain/rules/bounties.ts'
import { encodeMarketCall } from '../../support/market-call.ts'
import type { FaultCaseContext } from '../fault-case.ts'

const REWARD = 1_000_000n

/** A wallet that creates tasks by its own transactions. The checker does not know it: its money is its own affair. */
export interface DirectRequester {
  /** Creates so many tasks, each in a block of its own, and resolves when they are mined. */
  create(count: number): Promise<void>
}

export async function openRequester({ environment, random }: FaultCaseContext): Promise<DirectRequester> {
  const { anvil, deployment } = environment
  const account = privateKeyToAccount(random.bytes32())
  await mintLocalUsdc(anvil.url, account.address, REWARD * 1_000n)
  await anvil.request('anvil_setBalance', [account.address, toHex(parseEther('1'))])
  const client = await connect(anvil.url, account)
  const approve = encodeFunctionData({
    abi: usdcAbi,
    functionName: 'approve',
    args: [deployment.market, REWARD * 1_000n],
  })
  await sendAll(client, [{ what: 'the approval', to: deployment.usdc, data: approve }])
  const { target, data } = encodeMarketCall(deployment.market, 'createTask', [
    aBounty({ reward: REWARD, duration: 86_400 }),
  ])
  return {
    create: async (count) => {
      const steps = Array.from({ length: count }, (): Call => ({ what: 'a creation', to: target, data }))
      await sendAll(client, steps)
    },
  }
}
