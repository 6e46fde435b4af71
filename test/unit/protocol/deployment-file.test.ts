import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { flattenDeploymentFile, readChain } from '../../../protocol/rules/deployment-file.ts'

const address = (digits: string) => `0x${digits.repeat(20)}`
const contracts = {
  market: { address: address('a1'), block: 7, codeHash: '0x01' },
  forwarder: { address: address('b2') },
}
const file = {
  chainId: 84532,
  name: 'base-sepolia',
  local: false,
  bound: true,
  network: 'eip155:84532',
  usdc: { address: address('c3'), name: 'USDC', version: '2' },
  contracts,
  libraries: { HookLib: address('d4') },
  multicall3: address('e5'),
  registries: {
    identityRegistry: { address: address('f6'), startBlock: 3 },
    reputationRegistry: { address: address('a7') },
  },
  explorer: 'https://explorer.example',
  startBlock: 5,
}

test('given a deployment file, then each contract, registry and token stands by its name, and USDC with its domain', () => {
  expect(flattenDeploymentFile(file)).toEqual({
    chainId: 84532,
    name: 'base-sepolia',
    local: false,
    bound: true,
    market: address('a1'),
    forwarder: address('b2'),
    usdc: address('c3'),
    usdcDomain: { name: 'USDC', version: '2' },
    identityRegistry: address('f6'),
    reputationRegistry: address('a7'),
    identityStartBlock: 3,
    libraries: { HookLib: address('d4') },
    multicall3: address('e5'),
    explorer: 'https://explorer.example',
    startBlock: 5,
  })
})

test.each([
  [{ chainId: 8453, market: address('a1') }, 'base', 'USD Coin'],
  [{ chainId: 31337, usdcDomain: { name: 'Other', version: '2' } }, 'eip155:31337', 'Other'],
  [{ chainId: 84532, name: 'base-sepolia', usdcDomain: { name: 'USDC', version: '2' } }, 'base-sepolia', 'USDC'],
])('given a flat file %j, then its name is %s and its token is %s', (content, name, token) => {
  expect(flattenDeploymentFile(content)).toEqual({ ...content, name, usdcDomain: { name: token, version: '2' } })
  expect(readChain(content)).toEqual({ chainId: content.chainId, name })
})

test('given a flat file of another chain without the domain of its token, then none is assumed', () => {
  expect(() => flattenDeploymentFile({ chainId: 84532, market: address('a1') })).toThrow(
    'The deployment of chain 84532 lacks `usdcDomain`',
  )
})

test.each([
  ['8453', 'The market is not deployed to base (chain 8453)'],
  ['84532', 'The market is not deployed to base-sepolia (chain 84532)'],
])('given the file of %s without contracts, then it says in a sentence what is missing', (chainId, sentence) => {
  const content = JSON.parse(readFileSync(`deployments/${chainId}.json`, 'utf8'))
  expect(() => flattenDeploymentFile({ ...content, contracts: {} })).toThrow(sentence)
})

test.each([null, 'base', [], {}, { chainId: '8453' }, { chainId: 8453, contracts, usdc: 'x', registries: {} }])(
  'given %j, then it is no deployment',
  (content) => {
    expect(() => flattenDeploymentFile(content)).toThrow(/deployment/)
  },
)
