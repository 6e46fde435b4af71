import { type Address, isAddressEqual, keccak256, zeroAddress } from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import type { ReadClient } from '../chain.ts'
import { readDomain } from '../deploy.ts'
import type { DeploymentRecord } from '../deployment-file.ts'
import { BLOCKS_AT_ONCE } from '../register-service.ts'
import { describeRoute } from '../routes.ts'
import { readSteps } from './execute.ts'
import { isCodeOf } from './expected-code.ts'
import { listRoutes } from './forwarder-steps.ts'
import type { Plan } from './plan.ts'

/** One comparison. */
export interface CheckLine {
  what: string
  /** `pending`: as it should be until an account acts, which `note` names. */
  result: 'ok' | 'pending' | 'differs'
  /** Both sides, where they differ; of a pending line the account that has to act. */
  note?: string
}

/** The forwarder's role by its logs: every account and function that it was ever given. */
type Grants = { relayers: Map<Address, boolean>; routes: Map<string, string> }

/**
 * Compares a chain with a plan and with what the deployment file recorded: codes, owners, routes, roles and settings. Lines that
 * differ name both sides; none is left out because an earlier one differs.
 * @param options.say gets a line while logs are read, which takes long on an old chain
 */
export async function checkDeployment(
  client: ReadClient,
  plan: Plan,
  { record, say = () => {} }: { record: DeploymentRecord; say?: (line: string) => void },
): Promise<CheckLine[]> {
  const lines = [await checkDomain(client, plan, record), ...checkAddresses(plan, record)]
  lines.push(...(await checkCodes(client, plan, record)))
  const isThere = async (address: Address) => (await client.getCode({ address })) !== undefined
  const { market, forwarder, bonusHook } = plan.addresses
  const settings = plan.steps.filter(({ piece, what }) => piece === undefined && !what.startsWith('ownership'))
  for (const { step, found, isDone } of await readSteps(client, settings)) {
    lines.push(toLine(step.what, step.expected, isDone ? step.expected : found))
  }
  if (await isThere(market)) lines.push(...(await checkMarket(client, plan)))
  if (await isThere(forwarder)) lines.push(...(await checkForwarder(client, plan)))
  if (bonusHook !== undefined && (await isThere(bonusHook))) {
    lines.push(...(await checkOwner(client, { what: 'the bonus hook', address: bonusHook, owner: plan.setup.owner })))
  }
  if (await isThere(forwarder)) {
    const grants = await readGrants(client, forwarder, { from: BigInt(record.startBlock ?? 0), say })
    lines.push(...checkGrants(plan, grants))
  }
  return lines
}

/** A payment is void where its domain has another name or version than the token. */
async function checkDomain(client: ReadClient, plan: Plan, record: DeploymentRecord): Promise<CheckLine> {
  const { name, version } = await readDomain(client, plan.network.usdc.address)
  const text = (domain: { name: string; version: string }) => `${domain.name}, version ${domain.version}`
  return toLine('name and version of USDC', text(record.usdc), text({ name, version }))
}

function checkAddresses(plan: Plan, record: DeploymentRecord): CheckLine[] {
  const names = [...new Set([...Object.keys(plan.addresses), ...Object.keys(record.contracts)])]
  const planned = new Map<string, Address>(Object.entries(plan.addresses))
  return names.map((name) => {
    const expected = planned.get(name) ?? 'not in the plan'
    return toLine(`address of ${name}`, expected, record.contracts[name]?.address ?? 'not in the file')
  })
}

/** The code of the repository, and of the file's hash where the file has one. */
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
      const recorded = hashes.get(contract.address.toLowerCase()) ?? keccak256(code)
      return toLine(what, recorded, keccak256(code))
    }),
  )
}

async function checkMarket(client: ReadClient, { addresses, network, setup }: Plan): Promise<CheckLine[]> {
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
      ),
    ),
  )
  const owner = await checkOwner(client, { what: 'the market', address: addresses.market, owner: setup.owner })
  const hooks = await client.readContract({ ...contract, functionName: 'defaultHooks' })
  // Whether the programme is attached is its owner's choice.
  const others = hooks.filter((hook) => hook.toLowerCase() !== addresses.bonusHook?.toLowerCase())
  return [...owner, ...lines, toLine('default hooks that the setup does not name', 'none', others.join(', ') || 'none')]
}

async function checkForwarder(client: ReadClient, { addresses, network, setup }: Plan): Promise<CheckLine[]> {
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
    ...(setup.guardian === undefined ? [toLine('guardian of the forwarder', zeroAddress, guardian)] : []),
  ]
}

/** Owner and offered owner. The deployer still owns the forwarder until the offer is accepted. */
async function checkOwner(
  client: ReadClient,
  { what, address, owner, deployer }: { what: string; address: Address; owner: Address; deployer?: Address },
): Promise<CheckLine[]> {
  const contract = { address, abi: paymentForwarderAbi } as const
  const [present, pending] = await Promise.all([
    client.readContract({ ...contract, functionName: 'owner' }),
    client.readContract({ ...contract, functionName: 'pendingOwner' }),
  ])
  const isOffered = isAddressEqual(pending, owner) && deployer !== undefined && isAddressEqual(present, deployer)
  if (isOffered && !isAddressEqual(present, owner)) {
    const note = `${present} owns it until ${owner} accepts: ${acceptanceCommand(address)}`
    return [
      { what: `owner of ${what}`, result: 'pending', note },
      { what: `pending owner of ${what}`, result: 'ok' },
    ]
  }
  return [toLine(`owner of ${what}`, owner, present), toLine(`pending owner of ${what}`, zeroAddress, pending)]
}

/** Returns the command by which an account accepts the forwarder that it was offered. */
export function acceptanceCommand(forwarder: Address): string {
  return `npx cast send ${forwarder} 'acceptOwnership()' --rpc-url RPC_URL --ledger`
}

/** Reads the logs, which alone show an account or a function that the plan does not have. */
async function readGrants(
  client: ReadClient,
  forwarder: Address,
  { from, say }: { from: bigint; say: (line: string) => void },
): Promise<Grants> {
  const grants: Grants = { relayers: new Map(), routes: new Map() }
  const head = await client.getBlockNumber({ cacheTime: 0 })
  for (let first = from; first <= head; first += BLOCKS_AT_ONCE) {
    const last = first + BLOCKS_AT_ONCE - 1n
    const range = { fromBlock: first, toBlock: last < head ? last : head }
    if (head - from > BLOCKS_AT_ONCE) say(`reading the forwarder's logs: block ${first} of ${head}`)
    const contract = { address: forwarder, abi: paymentForwarderAbi, strict: true, ...range } as const
    for (const { args } of await client.getContractEvents({ ...contract, eventName: 'RelayerSet' })) {
      grants.relayers.set(args.relayer, args.allowed)
    }
    for (const { args } of await client.getContractEvents({ ...contract, eventName: 'RouteSet' })) {
      grants.routes.set(`${args.target} ${args.selector}`.toLowerCase(), describeRoute(args))
    }
  }
  return grants
}

function checkGrants({ addresses, setup }: Plan, { relayers, routes }: Grants): CheckLine[] {
  const planned = new Set(setup.relayers.map((relayer) => relayer.toLowerCase()))
  const others = [...relayers].flatMap(([relayer, isAllowed]) =>
    isAllowed && !planned.has(relayer.toLowerCase()) ? [relayer] : [],
  )
  const plannedRoutes = new Set(
    listRoutes(addresses).map(({ target, selector }) => `${target} ${selector}`.toLowerCase()),
  )
  const otherRoutes = [...routes].flatMap(([key, route]) =>
    route !== 'no route' && !plannedRoutes.has(key) ? [`${key}: ${route}`] : [],
  )
  return [
    toLine('relayers that the setup does not name', 'none', others.join(', ') || 'none'),
    toLine('routes that the repository does not name', 'none', otherRoutes.join(', ') || 'none'),
  ]
}

function toLine(what: string, expected: string, found: string): CheckLine {
  if (expected.toLowerCase() === found.toLowerCase()) return { what, result: 'ok' }
  return { what, result: 'differs', note: `expected ${expected}, there is ${found}` }
}
