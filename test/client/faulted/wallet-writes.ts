import { encodeFunctionData } from 'viem'
import { identityRegistrarAbi } from '../../../abis/identity-registrar.ts'
import { identityRegistryAbi } from '../../../abis/identity-registry.ts'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import type { WriteName } from '../../../client/src/api/write-names.ts'
import { setBlocked } from '../../support/blocked-wallet.ts'
import { countEvents } from './count-events.ts'
import { aDelivery, FEE, mustPay, type Recipe } from './recipe.ts'

/** What concerns a wallet and no task: its identities, its switch, and the credit of any wallet. */
export const walletWrites = {
  registerIdentity: async ({ environment, aWallet }) => {
    const wallet = await aWallet()
    const { identityRegistrar: address } = environment.chain.deployment
    const event = { address, abi: identityRegistrarAbi, name: 'AgentRegistered' }
    const countDone = () => countEvents(environment, event, [wallet.address])
    return { wallet, input: {}, cost: FEE, countDone }
  },
  adoptIdentity: async (parts) => {
    const { environment, aWallet } = parts
    const [sender, wallet] = [await aWallet(), await aWallet()]
    const { agentId } = await mustPay(parts, sender, '/identity/register', {})
    const { identityRegistry: to, identityRegistrar: address } = environment.chain.deployment
    const args = [sender.address, wallet.address, BigInt(agentId)] as const
    const data = encodeFunctionData({ abi: identityRegistryAbi, functionName: 'transferFrom', args })
    await environment.chain.sendAs(sender.address, { to, data })
    const event = { address, abi: identityRegistrarAbi, name: 'AgentAdopted' }
    const countDone = () => countEvents(environment, event, [wallet.address])
    return { wallet, input: { agentId }, cost: FEE, countDone }
  },
  setBoundOnly: async ({ environment, aWallet }) => {
    const wallet = await aWallet()
    const event = { address: environment.chain.deployment.forwarder, abi: paymentForwarderAbi, name: 'BoundOnlySet' }
    const countDone = () => countEvents(environment, event, [wallet.address])
    return { wallet, input: { boundOnly: true }, cost: 0n, countDone }
  },
  pushCredit: async (parts) => {
    const { environment, aWallet } = parts
    const { requester, worker, taskId } = await aDelivery(parts)
    // The operator of the token sends one transaction at a time.
    await parts.alone(async () => {
      await setBlocked(environment, worker.address, true)
      await environment.accept(requester, taskId, worker)
      await setBlocked(environment, worker.address, false)
    })
    const event = { address: environment.chain.deployment.market, abi: taskMarketAbi, name: 'CreditWithdrawn' }
    const countDone = () => countEvents(environment, event, [worker.address])
    return { wallet: await aWallet(), input: { address: worker.address }, cost: 0n, countDone }
  },
} satisfies Partial<Record<WriteName, Recipe>>
