import { createClient, type Hex, http, type JsonRpcAccount, numberToHex, parseEther } from 'viem'
import { withAnvil } from '../anvil.ts'
import { readArtifact } from '../artifacts.ts'
import { connect } from '../chain.ts'
import { installStandIns } from '../local-chain.ts'
import { executePlan } from './execute.ts'
import type { Plan } from './plan.ts'
import type { Step } from './step.ts'

/**
 * Sends a plan's transactions on an empty local chain, in the name of the plan's deployer. The local chain has the
 * network's id. Local versions of USDC, Multicall3, the registries and the reward token are installed at their
 * addresses of the network. Every contract therefore gets the address that the plan states.
 * @returns the gas that each transaction used
 */
export function rehearse(plan: Plan): Promise<Map<Step, bigint>> {
  return withAnvil(async (rpcUrl) => {
    const { deployer, bonus } = plan.setup
    const node = createClient({ transport: http(rpcUrl) })
    const ask = (method: string, params: unknown[]) =>
      node.request({ method, params } as Parameters<typeof node.request>[0])
    await installStandIns(rpcUrl, plan.network)
    if (bonus !== undefined && bonus.token !== 'local') {
      await ask('anvil_setCode', [bonus.token, readArtifact('LocalRewardToken').deployedBytecode.object])
    }
    await ask('anvil_setBalance', [deployer, numberToHex(parseEther('1000'))])
    await ask('anvil_impersonateAccount', [deployer])
    const account: JsonRpcAccount = { address: deployer as Hex, type: 'json-rpc' }
    const sentSteps = await executePlan(await connect(rpcUrl, account), plan)
    return new Map(sentSteps.map(({ call, gasUsed }) => [call, gasUsed]))
  }, plan.network.chainId)
}
