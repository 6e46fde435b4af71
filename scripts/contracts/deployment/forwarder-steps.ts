import { type Abi, type Address, encodeFunctionData, type Hex, isAddressEqual, toFunctionSelector } from 'viem'
import { bonusHookAbi } from '../../../abis/bonus-hook.ts'
import { identityRegistrarAbi } from '../../../abis/identity-registrar.ts'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { sponsoredTasksHookAbi } from '../../../abis/sponsored-tasks-hook.ts'
import { sponsoredVaultFactoryAbi } from '../../../abis/sponsored-vault-factory.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import {
  bonusRoutes,
  describeRoute,
  marketRoutes,
  type Route,
  registrarRoutes,
  vaultFactoryRoutes,
  vaultHookRoutes,
} from '../routes.ts'
import { relayerSetting, routeSetting } from './setting-logs.ts'
import { type Step, stages } from './step.ts'

type Settings = {
  forwarder: Address
  market: Address
  identityRegistrar: Address
  sponsoredTasksHook: Address
  sponsoredVaultFactory: Address
  bonusHook?: Address
  /** Account that may veto announced refunds. Absent: the guardian is not changed. */
  guardian?: Address
  relayers: readonly Address[]
  owner: Address
}

/** A contract that the forwarder may call, and the functions that it may call there. */
type Target = { name: string; address: Address; abi: Abi; routes: Route[] }

/** A function that the forwarder may call, with the data that the forwarder stores about it on chain. */
export type PlannedRoute = Omit<Route, 'functionName'> & { what: string; target: Address; selector: Hex }

/**
 * Lists the transactions that set the forwarder up: its routes, its relayers, its guardian, and finally the offer of
 * its ownership to `owner`.
 */
export function listForwarderSteps(settings: Settings): Step[] {
  const { forwarder, guardian, owner } = settings
  return [
    ...listRoutes(settings).map((route) => toRouteStep(forwarder, route)),
    ...settings.relayers.map((relayer) => toRelayerStep(forwarder, relayer)),
    ...(guardian === undefined ? [] : [toGuardianStep(forwarder, guardian)]),
    toOwnerStep(forwarder, owner),
  ]
}

/** Lists every route of the forwarder. Routes to the same contract come one after the other. */
export function listRoutes(settings: Omit<Settings, 'forwarder' | 'relayers' | 'owner'>): PlannedRoute[] {
  return listTargets(settings).flatMap((target) =>
    target.routes.map(({ functionName, ...route }) => ({
      ...route,
      what: `route to ${functionName} of ${target.name}`,
      target: target.address,
      selector: selectorOf(target, functionName),
    })),
  )
}

function listTargets(settings: Omit<Settings, 'forwarder' | 'relayers' | 'owner'>): Target[] {
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

function toRouteStep(forwarder: Address, { what, target, selector, ...route }: PlannedRoute): Step {
  const contract = { address: forwarder, abi: paymentForwarderAbi } as const
  return {
    stage: stages.settings,
    what,
    to: forwarder,
    data: encodeFunctionData({
      abi: paymentForwarderAbi,
      functionName: 'setRoute',
      args: [{ target, selector, ...route }],
    }),
    setting: routeSetting({ target, selector }),
    expected: describeRoute(route),
    read: async (client) => {
      const args = [target, selector] as const
      const [relayModes, suffixRule, verb] = await client.readContract({ ...contract, functionName: 'routeOf', args })
      return describeRoute({ relayModes, suffixRule, verb })
    },
  }
}

function toRelayerStep(forwarder: Address, relayer: Address): Step {
  const contract = { address: forwarder, abi: paymentForwarderAbi } as const
  return {
    stage: stages.settings,
    what: `relayer ${relayer}`,
    to: forwarder,
    data: encodeFunctionData({ abi: paymentForwarderAbi, functionName: 'setRelayer', args: [relayer, true] }),
    setting: relayerSetting(relayer),
    expected: 'may relay',
    read: async (client) => {
      const isAllowed = await client.readContract({ ...contract, functionName: 'relayers', args: [relayer] })
      return isAllowed ? 'may relay' : 'may not relay'
    },
  }
}

function toGuardianStep(forwarder: Address, guardian: Address): Step {
  return {
    stage: stages.settings,
    what: 'guardian of the forwarder',
    to: forwarder,
    data: encodeFunctionData({ abi: paymentForwarderAbi, functionName: 'setGuardian', args: [guardian] }),
    setting: 'guardian',
    expected: guardian,
    read: (client) => client.readContract({ address: forwarder, abi: paymentForwarderAbi, functionName: 'guardian' }),
  }
}

/**
 * Creates the step that offers the forwarder's ownership to `owner`. The owner accepts the offer later with a
 * transaction of its own.
 */
function toOwnerStep(forwarder: Address, owner: Address): Step {
  const contract = { address: forwarder, abi: paymentForwarderAbi } as const
  const expected = `offered to ${owner}, or accepted`
  return {
    stage: stages.ownership,
    what: `ownership of the forwarder to ${owner}`,
    to: forwarder,
    data: encodeFunctionData({ abi: paymentForwarderAbi, functionName: 'transferOwnership', args: [owner] }),
    expected,
    read: async (client) => {
      const [presentOwner, pendingOwner] = await Promise.all([
        client.readContract({ ...contract, functionName: 'owner' }),
        client.readContract({ ...contract, functionName: 'pendingOwner' }),
      ])
      return [presentOwner, pendingOwner].some((account) => isAddressEqual(account, owner))
        ? expected
        : `of ${presentOwner}`
    },
  }
}

function selectorOf({ name, abi }: Target, functionName: string): Hex {
  const item = abi.find((candidate) => candidate.type === 'function' && candidate.name === functionName)
  if (item?.type !== 'function') throw new Error(`${name} has no function ${functionName}`)
  return toFunctionSelector(item)
}
