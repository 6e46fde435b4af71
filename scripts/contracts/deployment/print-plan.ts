import { type Address, formatGwei, formatUnits, size } from 'viem'
import { registrationUri } from '../register-service.ts'
import { acceptanceCommand } from './check.ts'
import type { ChosenSetup } from './choose-setup.ts'
import type { Estimate, StepCost } from './estimate.ts'
import type { Plan } from './plan.ts'

/** Facts about a deployment before anything is sent: the plan, the estimated costs, and values from the chain. */
export interface Outlook {
  plan: Plan
  chosen: ChosenSetup
  node: string
  block: bigint
  estimate: Estimate
  /** Balance of the deployer in wei; null if a dry run assumes the deployer. */
  balance: bigint | null
  /** Owner of the forwarder; null if the forwarder is not deployed yet. */
  forwarderOwner: Address | null
}

/** Formats a plan for people: every transaction with its address, gas and cost. */
export function toPlanText(outlook: Outlook): string {
  return [
    ...toHead(outlook),
    '',
    ...toTransactions(outlook),
    '',
    ...toAddresses(outlook.plan),
    ...(outlook.estimate.costs.length === 0 ? [] : ['', ...toMoney(outlook)]),
  ].join('\n')
}

function toHead({ plan, chosen, node, block }: Outlook): string[] {
  const { network } = plan
  const { setup, assumed } = chosen
  const isAssumed = new Set<string>(assumed)
  const note = (field: string) => (isAssumed.has(field) ? '   (assumed: not given)' : '')
  const rows: [string, string][] = [
    ['network', `${network.name}, chain ${network.chainId}, block ${block} of ${node}`],
    ['deployer', `${setup.deployer}${note('deployer')}`],
    ['owner', `${setup.owner}${note('owner')}`],
    ['fee recipient', `${setup.feeRecipient}${note('feeRecipient')}`],
    ['platform fee', `${setup.feeBps / 100} %`],
    ['service name', setup.serviceName],
    ['public base URL', `${setup.publicBaseUrl}${note('publicBaseUrl')}`],
    ['relayers', setup.relayers.join(', ') || 'none: the service can relay nothing until the owner allows an account'],
    ['guardian', setup.guardian ?? 'none: announced refunds have no veto until the owner names an account'],
    ['reward token', setup.rewardToken ?? 'none: no programme of bonuses'],
  ]
  return [
    ...rows.map(([name, value]) => `${name.padEnd(16)} ${value}`),
    ...(assumed.length === 0
      ? []
      : ['', 'What is assumed decides addresses: they will be others with your own values.']),
  ]
}

function toTransactions({ plan, estimate, forwarderOwner }: Outlook): string[] {
  const { costs } = estimate
  const doneCount = plan.steps.length - costs.length
  const head =
    doneCount === 0
      ? `${costs.length} transactions`
      : `${costs.length} transactions; ${doneCount} of ${plan.steps.length} steps are done on this chain`
  if (costs.length === 0) return [head]
  const price = estimate.baseFee + estimate.priorityFee
  const rows = costs.map((cost, index) => toRow(cost, { index, price }))
  const isOwners = forwarderOwner !== null && forwarderOwner !== plan.setup.deployer
  return [
    head,
    ...rows,
    '  n: estimated by the node on its chain. r: used in a rehearsal of all steps on a local chain with stand-ins for USDC, the',
    '  registries and the reward token, because steps before it are not on the chain yet.',
    ...(isOwners && costs.some(({ step }) => step.piece === undefined)
      ? [`  The settings of the forwarder are for its owner ${forwarderOwner} to send, not for the deployer.`]
      : []),
  ]
}

function toRow({ step, gas, source, dataFee }: StepCost, { index, price }: { index: number; price: bigint }): string {
  const makes = step.piece === undefined ? '' : ` makes ${step.piece.address}`
  const mark = source === 'node' ? 'n' : 'r'
  const cost = toEther(gas * price + dataFee)
  return `${String(index + 1).padStart(3)} ${step.what} | to ${step.to}, ${size(step.data)} bytes |${makes} ${gas} gas (${mark}), ${cost} ETH`
}

function toAddresses({ addresses, rewardToken, created, libraries }: Plan): string[] {
  const rows = Object.entries({
    ...addresses,
    ...(rewardToken !== undefined && { rewardToken }),
    ...Object.fromEntries(created.slice(1).map(({ name, address }) => [name, address])),
    ...libraries,
  })
  return [
    'Addresses (CREATE2: they follow from the code and its arguments; a contract that is there already has just that code, no',
    'matter which account sent it)',
    ...rows.map(([name, address]) => `  ${name.padEnd(22)} ${address}`),
  ]
}

function toMoney({ plan, estimate, balance }: Outlook): string[] {
  const { gas, baseFee, priorityFee, maxFee, total, atMost, hasDataFee } = estimate
  const dataFee = hasDataFee
    ? 'with the data fee that the chain’s GasPriceOracle names for each'
    : 'without a data fee: this chain has no GasPriceOracle (Base has one, and charges for data besides)'
  return [
    `gas     ${gas} in all`,
    `price   ${formatGwei(baseFee + priorityFee)} gwei (base fee ${formatGwei(baseFee)}, priority ${formatGwei(priorityFee)}); transactions offer ${formatGwei(maxFee)} at most`,
    `cost    ${toEther(total)} ETH, at most ${toEther(atMost)}, ${dataFee}`,
    balance === null
      ? 'balance not known: the deployer is assumed'
      : `balance ${toEther(balance)} ETH of ${plan.setup.deployer}: ${balance >= atMost ? 'enough' : `too little, ${toEther(atMost - balance)} ETH are missing`}`,
  ]
}

/** Lists the tasks that `npm run deploy` leaves to people. @param progress the tasks that the owner has already done */
export function toOmissions(
  { setup, network, addresses }: Plan,
  progress: { isOwned: boolean; isRegistered: boolean },
): string[] {
  const { identityRegistry } = network.registries
  const uri = registrationUri(setup.publicBaseUrl)
  return [
    'Not done by this command:',
    ...(progress.isOwned
      ? []
      : [
          `  - accept the forwarder for ${setup.owner}, which owns it only then: ${acceptanceCommand(addresses.forwarder)}`,
        ]),
    ...(progress.isRegistered
      ? []
      : [
          `  - register the service as an agent. The owner does: npx cast send ${identityRegistry.address} 'register(string)' ${uri} --rpc-url RPC_URL --ledger`,
          '    and running this command again then writes the id of the agent into the deployment file',
        ]),
    '  - give relayers ETH for gas',
    ...(setup.bonus === undefined
      ? []
      : [
          '  - attach the programme of bonuses, fund it, set a rate (scripts/contracts/bonus-command.ts, by the owner)',
        ]),
    '  - publish the sources: npm run deploy -- verify',
  ]
}

/** Formats wei as ETH, rounded up to a billionth. */
function toEther(wei: bigint): string {
  return formatUnits((wei + 999_999_999n) / 1_000_000_000n, 9)
}
