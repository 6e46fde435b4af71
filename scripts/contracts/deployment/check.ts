import { type Address, isAddressEqual, keccak256, zeroAddress } from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import type { ReadClient } from '../chain.ts'
import { readDomain } from '../deploy.ts'
import type { DeploymentRecord } from '../deployment-file.ts'
import { readSteps } from './execute.ts'
import { isCodeOf } from './expected-code.ts'
import { listRoutes } from './forwarder-steps.ts'
import type { Plan } from './plan.ts'
import {
  readSettingChanges,
  relayerSetting,
  routeSetting,
  type SettingChange,
  type SettingChanges,
} from './setting-logs.ts'

/** The result of one comparison of the chain with the plan. */
export interface CheckLine {
  what: string
  /**
   * `pending`: the value is as it should be until an account acts; `note` names this account. `changed`: the owner has
   * changed the value since the deployment.
   */
  result: 'ok' | 'pending' | 'changed' | 'differs'
  /**
   * Explanation of the result. For `differs` and `changed`: the expected value and the value on the chain. For
   * `pending`: the account that has to act.
   */
  note?: string
}

/** The parts of a plan that name accounts and settings. */
type RolePlan = Pick<Plan, 'network' | 'setup' | 'addresses' | 'steps'>

/**
 * Compares a chain with a plan and with the deployment file: code, owners, routes, roles and settings. A line for a
 * difference contains both values. A difference does not end the comparison. If the recorded owner changed a setting
 * after the deployment, according to the logs, the setting is `changed` and not a difference.
 * @param options.say receives a line while logs are read, which takes long on an old chain
 */
export async function checkDeployment(
  client: ReadClient,
  plan: Plan,
  { record, say }: { record: DeploymentRecord; say?: (line: string) => void },
): Promise<CheckLine[]> {
  return [
    await checkDomain(client, plan, record),
    ...checkAddresses(plan, record),
    ...(await checkCodes(client, plan, record)),
    ...(await checkRoles(client, plan, { record, ...(say && { say }) })),
  ]
}

/**
 * Compares only owners, routes, roles and settings. This requires no compiled contracts, so the caller can create the
 * plan as `{ network, setup, addresses, steps: listForwarderSteps({ ...addresses, ...setup }) }`.
 */
export async function checkRoles(
  client: ReadClient,
  plan: RolePlan,
  { record, say = () => {} }: { record: DeploymentRecord; say?: (line: string) => void },
): Promise<CheckLine[]> {
  const { market, forwarder, bonusHook } = plan.addresses
  const isThere = async (address: Address) => (await client.getCode({ address })) !== undefined
  const [hasMarket, hasForwarder] = [await isThere(market), await isThere(forwarder)]
  const logs = { owner: plan.setup.owner, from: BigInt(record.startBlock ?? 0), say }
  const changes: SettingChanges =
    hasMarket || hasForwarder ? await readSettingChanges(client, plan.addresses, logs) : new Map()
  const lines: CheckLine[] = []
  const settings = plan.steps.filter(({ piece, what }) => piece === undefined && !what.startsWith('ownership'))
  for (const { step, found, isDone } of await readSteps(client, settings)) {
    const change = step.setting === undefined ? undefined : changes.get(step.setting)
    lines.push(toLine(step.what, step.expected, isDone ? step.expected : found, change))
  }
  if (hasMarket) lines.push(...(await checkMarket(client, plan, changes)))
  if (hasForwarder) lines.push(...(await checkForwarder(client, plan, changes)))
  if (bonusHook !== undefined && (await isThere(bonusHook))) {
    lines.push(...(await checkOwner(client, { what: 'the bonus hook', address: bonusHook, owner: plan.setup.owner })))
  }
  if (hasForwarder) lines.push(...checkGrants(plan, changes))
  return lines
}

/**
 * Compares the name and the version of USDC in the deployment file with those of the token contract. A payment that is
 * signed with other values is invalid.
 */
async function checkDomain(client: ReadClient, plan: Plan, record: DeploymentRecord): Promise<CheckLine> {
  const { name, version } = await readDomain(client, plan.network.usdc.address)
  const text = (domain: { name: string; version: string }) => `${domain.name}, version ${domain.version}`
  return toLine('name and version of USDC', text(record.usdc), text({ name, version }))
}

function checkAddresses(plan: Plan, record: DeploymentRecord): CheckLine[] {
  const names = [...new Set([...Object.keys(plan.addresses), ...Object.keys(record.contracts)])]
  const plannedAddresses = new Map<string, Address>(Object.entries(plan.addresses))
  return names.map((name) => {
    const expected = plannedAddresses.get(name) ?? 'not in the plan'
    return toLine(`address of ${name}`, expected, record.contracts[name]?.address ?? 'not in the file')
  })
}

/**
 * Compares the code of each contract on the chain with the compiled code of the repository. If the deployment file has
 * a hash of the code, also compares this hash.
 */
async function checkCodes(client: ReadClient, plan: Plan, record: DeploymentRecord): Promise<CheckLine[]> {
  const contracts = [...plan.steps.flatMap(({ piece }) => (piece === undefined ? [] : [piece])), ...plan.created]
  const hashes = new Map(
    Object.values(record.contracts).map(({ address, codeHash }) => [address.toLowerCase(), codeHash]),
  )
  return Promise.all(
    contracts.map(async (contract): Promise<CheckLine> => {
      const what = `code of ${contract.name} at ${contract.address}`
      const code = await client.getCode({ address: contract.address })
      if (code === undefined) return { what, result: 'differs', note: 'there is no code' }
      if (!isCodeOf(contract, code, plan.libraries)) {
        return {
          what,
          result: 'differs',
          note: `the repository compiles to other code; hash there: ${keccak256(code)}`,
        }
      }
      const recordedHash = hashes.get(contract.address.toLowerCase()) ?? keccak256(code)
      return toLine(what, recordedHash, keccak256(code))
    }),
  )
}

async function checkMarket(
  client: ReadClient,
  { addresses, network, setup }: RolePlan,
  changes: SettingChanges,
): Promise<CheckLine[]> {
  const contract = { address: addresses.market, abi: taskMarketAbi } as const
  const expected = {
    usdc: network.usdc.address,
    forwarder: addresses.forwarder,
    feeRecipient: setup.feeRecipient,
    feeBps: setup.feeBps,
    identityRegistry: network.registries.identityRegistry.address,
    reputationRegistry: network.registries.reputationRegistry.address,
    paused: false,
  } as const
  const names = Object.keys(expected) as (keyof typeof expected)[]
  const lines = await Promise.all(
    names.map(async (name) =>
      toLine(
        `${name} of the market`,
        String(expected[name]),
        String(await client.readContract({ ...contract, functionName: name })),
        changes.get(name),
      ),
    ),
  )
  const owner = await checkOwner(client, { what: 'the market', address: addresses.market, owner: setup.owner })
  const hooks = await client.readContract({ ...contract, functionName: 'defaultHooks' })
  // Whether the programme is attached is its owner's choice.
  const others = hooks.filter((hook) => hook.toLowerCase() !== addresses.bonusHook?.toLowerCase())
  const change = changes.get('defaultHooks')
  const hookList = others.join(', ') || 'none'
  return [...owner, ...lines, toLine('default hooks that the setup does not name', 'none', hookList, change)]
}

async function checkForwarder(
  client: ReadClient,
  { addresses, network, setup }: RolePlan,
  changes: SettingChanges,
): Promise<CheckLine[]> {
  const { forwarder: address } = addresses
  const contract = { address, abi: paymentForwarderAbi } as const
  const [usdc, serviceName, guardian] = await Promise.all([
    client.readContract({ ...contract, functionName: 'usdc' }),
    client.readContract({ ...contract, functionName: 'serviceName' }),
    client.readContract({ ...contract, functionName: 'guardian' }),
  ])
  const owners = { what: 'the forwarder', address, owner: setup.owner, deployer: setup.deployer }
  return [
    ...(await checkOwner(client, owners)),
    toLine('usdc of the forwarder', network.usdc.address, usdc),
    toLine('service name of the forwarder', setup.serviceName, serviceName),
    // A planned guardian is among the steps.
    ...(setup.guardian === undefined
      ? [toLine('guardian of the forwarder', zeroAddress, guardian, changes.get('guardian'))]
      : []),
  ]
}

/**
 * Compares the owner of a contract, and the account to which the ownership is offered. For the forwarder, the result is
 * `pending` while the deployer still owns it and `owner` has not accepted yet.
 */
async function checkOwner(
  client: ReadClient,
  { what, address, owner, deployer }: { what: string; address: Address; owner: Address; deployer?: Address },
): Promise<CheckLine[]> {
  const contract = { address, abi: paymentForwarderAbi } as const
  const [presentOwner, pendingOwner] = await Promise.all([
    client.readContract({ ...contract, functionName: 'owner' }),
    client.readContract({ ...contract, functionName: 'pendingOwner' }),
  ])
  const isOffered =
    isAddressEqual(pendingOwner, owner) && deployer !== undefined && isAddressEqual(presentOwner, deployer)
  if (isOffered && !isAddressEqual(presentOwner, owner)) {
    const note = `${presentOwner} owns it until ${owner} accepts: ${acceptanceCommand(address)}`
    return [
      { what: `owner of ${what}`, result: 'pending', note },
      { what: `pending owner of ${what}`, result: 'ok' },
    ]
  }
  return [
    toLine(`owner of ${what}`, owner, presentOwner),
    toLine(`pending owner of ${what}`, zeroAddress, pendingOwner),
  ]
}

/** Returns the command with which an account accepts the ownership of the forwarder that was offered to it. */
export function acceptanceCommand(forwarder: Address): string {
  return `cast send ${forwarder} 'acceptOwnership()' --rpc-url RPC_URL --ledger`
}

/**
 * Lists the relayers and the routes that the plan does not contain. They are read from the logs, because the contracts
 * cannot list them.
 */
function checkGrants({ addresses, setup }: RolePlan, changes: SettingChanges): CheckLine[] {
  const plannedSettings = new Set([...setup.relayers.map(relayerSetting), ...listRoutes(addresses).map(routeSetting)])
  const others = [...changes].filter(([setting]) => !plannedSettings.has(setting))
  const relayers = others.filter(([setting, { value }]) => setting.startsWith('relayer ') && value === 'may relay')
  const routes = others.filter(([setting, { value }]) => setting.startsWith('route ') && value !== 'no route')
  return [
    ...toGrantLines(
      'relayers that the setup does not name',
      relayers.map(([setting, change]) => ({ grant: setting.replace('relayer ', ''), change })),
    ),
    ...toGrantLines(
      'routes that the repository does not name',
      routes.map(([setting, change]) => ({ grant: `${setting.replace('route ', '')}: ${change.value}`, change })),
    ),
  ]
}

function toGrantLines(what: string, grants: { grant: string; change: SettingChange }[]): CheckLine[] {
  const others = grants.filter(({ change }) => !change.isByOwner).map(({ grant }) => grant)
  return [
    ...grants.filter(({ change }) => change.isByOwner).map(({ grant, change }) => toLine(what, 'none', grant, change)),
    ...(others.length > 0 || grants.length === 0 ? [toLine(what, 'none', others.join(', ') || 'none')] : []),
  ]
}

/**
 * Compares an expected value with the value on the chain. @param change the last change of the setting, if its owner
 * may change it
 */
function toLine(what: string, expected: string, observation: string, change?: SettingChange): CheckLine {
  if (expected.toLowerCase() === observation.toLowerCase()) return { what, result: 'ok' }
  const note = `expected ${expected}, there is ${observation}`
  if (change?.isByOwner !== true) return { what, result: 'differs', note }
  return { what, result: 'changed', note: `${note}, by its owner ${change.where}` }
}
