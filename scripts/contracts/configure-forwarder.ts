import { type Abi, type Address, encodeFunctionData, isAddressEqual, toFunctionSelector } from 'viem'
import { bonusHookAbi } from '../../abis/bonus-hook.ts'
import { identityRegistrarAbi } from '../../abis/identity-registrar.ts'
import { paymentForwarderAbi } from '../../abis/payment-forwarder.ts'
import { sponsoredTasksHookAbi } from '../../abis/sponsored-tasks-hook.ts'
import { sponsoredVaultFactoryAbi } from '../../abis/sponsored-vault-factory.ts'
import { taskMarketAbi } from '../../abis/task-market.ts'
import { type DeployClient, type Step, sendAll } from './chain.ts'
import {
  bonusRoutes,
  marketRoutes,
  type Route,
  registrarRoutes,
  vaultFactoryRoutes,
  vaultHookRoutes,
} from './routes.ts'

type Settings = {
  market: Address
  identityRegistrar: Address
  sponsoredTasksHook: Address
  sponsoredVaultFactory: Address
  bonusHook: Address | undefined
  /** Vetoes announced refunds; absent: left as it is. */
  guardian: Address | undefined
  relayers: Address[]
  owner: Address
}

/** A contract the forwarder calls, and what of it. */
type Target = { name: string; address: Address; abi: Abi; routes: Route[] }

/**
 * Sets the routes, the relayers and the guardian where they differ, then hands the forwarder over to its owner (who
 * accepts it).
 * @throws when something differs and the forwarder is no longer the deployer's to change
 */
export async function configureForwarder(client: DeployClient, forwarder: Address, settings: Settings): Promise<void> {
  const routeSteps: Step[] = []
  for (const target of listTargets(settings)) routeSteps.push(...(await listRouteSteps(client, forwarder, target)))
  const steps = [
    ...routeSteps,
    ...(await listRelayerSteps(client, forwarder, settings.relayers)),
    ...(await listGuardianSteps(client, forwarder, settings.guardian)),
    ...(await listOwnerSteps(client, forwarder, settings.owner)),
  ]
  if (steps.length === 0) return
  const owner = await client.readContract({ address: forwarder, abi: paymentForwarderAbi, functionName: 'owner' })
  if (!isAddressEqual(owner, client.account.address)) {
    throw new Error(`the forwarder belongs to ${owner}, who has to make these settings: ${steps.map((s) => s.what)}`)
  }
  await sendAll(client, steps)
}

function listTargets(settings: Settings): Target[] {
  const { market, identityRegistrar, sponsoredTasksHook, sponsoredVaultFactory, bonusHook } = settings
  return [
    { name: 'the market', address: market, abi: taskMarketAbi, routes: marketRoutes },
    { name: 'the registrar', address: identityRegistrar, abi: identityRegistrarAbi, routes: registrarRoutes },
    {
      name: 'the hook of sponsored tasks',
      address: sponsoredTasksHook,
      abi: sponsoredTasksHookAbi,
      routes: vaultHookRoutes,
    },
    {
      name: 'the factory of vaults',
      address: sponsoredVaultFactory,
      abi: sponsoredVaultFactoryAbi,
      routes: vaultFactoryRoutes,
    },
    ...(bonusHook === undefined
      ? []
      : [{ name: 'the bonus hook', address: bonusHook, abi: bonusHookAbi, routes: bonusRoutes }]),
  ]
}

async function listRouteSteps(client: DeployClient, forwarder: Address, target: Target): Promise<Step[]> {
  const wanted = target.routes.map((route) => ({ ...route, selector: selectorOf(target, route) }))
  const present = await Promise.all(
    wanted.map(({ selector }) =>
      client.readContract({
        address: forwarder,
        abi: paymentForwarderAbi,
        functionName: 'routeOf',
        args: [target.address, selector],
      }),
    ),
  )
  return wanted
    .filter(({ relayModes, suffixRule, verb }, index) => {
      const route = present[index]
      return route === undefined || route[0] !== relayModes || route[1] !== suffixRule || route[2] !== verb
    })
    .map(({ functionName, selector, relayModes, suffixRule, verb }) => ({
      what: `route to ${functionName} of ${target.name}`,
      to: forwarder,
      data: encodeFunctionData({
        abi: paymentForwarderAbi,
        functionName: 'setRoute',
        args: [{ target: target.address, selector, relayModes, suffixRule, verb }],
      }),
    }))
}

async function listRelayerSteps(client: DeployClient, forwarder: Address, relayers: Address[]): Promise<Step[]> {
  const allowed = await Promise.all(
    relayers.map((relayer) =>
      client.readContract({
        address: forwarder,
        abi: paymentForwarderAbi,
        functionName: 'relayers',
        args: [relayer],
      }),
    ),
  )
  return relayers
    .filter((_, index) => !allowed[index])
    .map((relayer) => ({
      what: `relayer ${relayer}`,
      to: forwarder,
      data: encodeFunctionData({ abi: paymentForwarderAbi, functionName: 'setRelayer', args: [relayer, true] }),
    }))
}

async function listGuardianSteps(
  client: DeployClient,
  forwarder: Address,
  guardian: Address | undefined,
): Promise<Step[]> {
  if (guardian === undefined) return []
  const contract = { address: forwarder, abi: paymentForwarderAbi } as const
  const present = await client.readContract({ ...contract, functionName: 'guardian' })
  if (isAddressEqual(present, guardian)) return []
  const data = encodeFunctionData({ abi: paymentForwarderAbi, functionName: 'setGuardian', args: [guardian] })
  return [{ what: `guardian ${guardian}`, to: forwarder, data }]
}

async function listOwnerSteps(client: DeployClient, forwarder: Address, owner: Address): Promise<Step[]> {
  const contract = { address: forwarder, abi: paymentForwarderAbi } as const
  const present = await client.readContract({ ...contract, functionName: 'owner' })
  const pending = await client.readContract({ ...contract, functionName: 'pendingOwner' })
  if (isAddressEqual(present, owner) || isAddressEqual(pending, owner)) return []
  const data = encodeFunctionData({ abi: paymentForwarderAbi, functionName: 'transferOwnership', args: [owner] })
  return [{ what: `ownership to ${owner}`, to: forwarder, data }]
}

function selectorOf({ name, abi }: Target, { functionName }: Route) {
  const item = abi.find((candidate) => candidate.type === 'function' && candidate.name === functionName)
  if (item?.type !== 'function') throw new Error(`${name} has no function ${functionName}`)
  return toFunctionSelector(item)
}
