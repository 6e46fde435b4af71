/**
 * Deploys to a chain and records the addresses in deployments/<chainId>.json.
 *
 *   DEPLOYER_KEY=0x... node scripts/contracts/deploy-command.ts \
 *     --rpc-url URL --owner ADDRESS --fee-recipient ADDRESS --relayer ADDRESS [--relayer ADDRESS]
 *     --public-base-url URL [--fee-bps 750] [--service-name service] [--guardian ADDRESS]
 *     [--reward-token ADDRESS] [--local]
 *
 * The key comes from the environment, so that it stands in no process list and no shell history. `--local` installs
 * stand-ins for USDC, Multicall3 and the registries on a chain of anvil's, and only prints the addresses. With
 * `--reward-token` (`local`: one of our own) it deploys a programme of token bonuses, too, which pays nothing until the
 * owner makes it a default hook of the market and sets a rate (scripts/contracts/bonus-command.ts). `--guardian` may veto
 * announced refunds of prepaid money; it is never a relayer. The service itself is
 * registered with the ERC-8004 registry, for the deployer (docs/discovery.md, "ERC-8004").
 */
import { parseArgs } from 'node:util'
import { type Address, getAddress, type Hex, isHex } from 'viem'
import { defaultBonusSetup, type RewardToken } from './bonus-setup.ts'
import { connect } from './chain.ts'
import { compileContracts } from './compile.ts'
import { deployAll } from './deploy.ts'
import { deploymentPathOf, writeDeploymentFile } from './deployment-file.ts'

const { values } = parseArgs({
  options: {
    'rpc-url': { type: 'string' },
    owner: { type: 'string' },
    'fee-recipient': { type: 'string' },
    relayer: { type: 'string', multiple: true, default: [] },
    'fee-bps': { type: 'string', default: '750' },
    'service-name': { type: 'string', default: 'service' },
    'public-base-url': { type: 'string' },
    guardian: { type: 'string' },
    'reward-token': { type: 'string' },
    local: { type: 'boolean', default: false },
  },
})

await compileContracts()
const rpcUrl = required('rpc-url', values['rpc-url'])
const deployer = readKey(process.env.DEPLOYER_KEY)
const deployment = await deployAll({
  rpcUrl,
  deployer,
  local: values.local,
  relayers: values.relayer.map((relayer) => toAddress('relayer', relayer)),
  owner: toAddress('owner', values.owner),
  ...(values.guardian !== undefined && { guardian: toAddress('guardian', values.guardian) }),
  feeRecipient: toAddress('fee-recipient', values['fee-recipient']),
  feeBps: toFeeBps(values['fee-bps']),
  serviceName: values['service-name'],
  publicBaseUrl: toBaseUrl(required('public-base-url', values['public-base-url'])),
  ...(values['reward-token'] !== undefined && {
    bonus: { token: toRewardToken(values['reward-token']), setup: defaultBonusSetup },
  }),
  registerService: true,
})
if (!values.local) {
  const client = await connect(rpcUrl, deployer)
  await writeDeploymentFile(client, deploymentPathOf(deployment), deployment)
}
console.log(JSON.stringify(deployment, null, 2))

function required(name: string, value: string | undefined): string {
  if (value === undefined) throw new Error(`--${name} is missing`)
  return value
}

/** @throws when it is no address, or one with a wrong checksum */
function toAddress(name: string, value: string | undefined): Address {
  return getAddress(required(name, value))
}

function toRewardToken(value: string): RewardToken {
  return value === 'local' ? 'local' : toAddress('reward-token', value)
}

/** @throws when it is no fee the market takes */
function toFeeBps(value: string): number {
  const feeBps = Number(value)
  if (Number.isInteger(feeBps) && feeBps >= 0 && feeBps <= 2000) return feeBps
  throw new Error(`--fee-bps must be a whole number from 0 to 2000, not ${value}`)
}

/** @throws when it is no URL, or not one that paths can be appended to: it is written into the registrar for good */
function toBaseUrl(value: string): string {
  const { protocol, search, hash } = new URL(value)
  if (/^https?:$/.test(protocol) && search === '' && hash === '' && !value.endsWith('/')) return value
  throw new Error(`--public-base-url must be an http or https URL without a trailing slash, not ${value}`)
}

function readKey(key: string | undefined): Hex {
  if (!isHex(key) || key.length !== 66) throw new Error('DEPLOYER_KEY must be a private key: 0x and 64 hex digits')
  return key
}
