#!/usr/bin/env node
/**
 * Signs what a write needs, for walks with curl. Any Node from 18 on; the wallet's key is in KEY.
 *
 *   curl ... | KEY=0x... node scripts/sign.mjs payment      the 402's body on standard input -> PAYMENT-SIGNATURE
 *   ... sign.mjs payment '<POST> </api/path>' <idempotency key> <body>   -> the same, for this request alone
 *   KEY=0x... node scripts/sign.mjs message 'service:submit:0x...'   -> an EIP-191 signature
 *   KEY=0x... node scripts/sign.mjs read http://127.0.0.1:3000   -> three read-identity headers, good there for an
 * hour,
 *                                        for curl: -H @<(KEY=... node scripts/sign.mjs read ...)
 *   curl .../wallet/withdrawal-address?address=<wallet> | KEY=0x... node scripts/sign.mjs withdrawal <base units of USDC>
 *                                        -> the body of /wallet/withdraw, to the registered address, good for five minutes
 *   curl ... | KEY=0x... node scripts/sign.mjs consent off   the 402’s body of any paid write on standard input -> the body of
 *                                        /wallet/consent: payments of this wallet then need not name their request (`on`: must)
 *   curl .../legal/challenge ... | KEY=0x... node scripts/sign.mjs legal   -> the body of /legal/accept/wallet, which
 *                                        says that you agree: read the documents it names first
 *
 * KEY must be a public test key (those that `npm start` prints) where the signature is for a local stack: the local chain
 * has the chain id and the addresses of Base, so that a real wallet's payment is valid there, too. `--real-key` after the
 * other arguments signs all the same. Local is a URL of this machine in the input, or in `--url`, TASK_MARKET_URL or
 * TASK_MARKET_RPC_URL; a deployment file that says so (`--deployment`, TASK_MARKET_DEPLOYMENT); and, where none of those is
 * given and the input names no URL, the stack of this clone.
 */
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { keccak256, stringToBytes } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'

/** The reason that nothing is signed, for the user. */
class Refusal extends Error {}

/** A transfer that USDC takes from anyone who has its signature (ERC-3009). */
const primaryType = 'TransferWithAuthorization'
const types = {
  [primaryType]: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
}

const [, program] = process.argv
if (program !== undefined && realpathSync(program) === fileURLToPath(import.meta.url)) await main()

async function main() {
  try {
    console.log(await sign(process.argv.slice(2), { environment: process.env, readInput: readStandardInput }))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    console.error(error.message)
    process.exit(1)
  }
}

async function readStandardInput() {
  let text = ''
  for await (const chunk of process.stdin) text += chunk
  return text
}

/**
 * Signs once, without the standard streams of this process.
 * @param {string[]} words the arguments of the program: `['message', 'service:submit:0x...']`
 * @param {{ environment: Record<string, string | undefined>, readInput: () => Promise<string> }} from the environment:
 * `{ KEY: '0x...', TASK_MARKET_URL: 'https://market.example' }`; the text of the standard input
 * @returns {Promise<string>} the line that the program prints
 * @throws with the program's sentence for the user
 */
export async function sign(words, { environment, readInput }) {
  const { values: options, positionals } = readArguments(words)
  const [kind, message, idempotencyKey, body = ''] = positionals
  const key = environment.KEY
  if (!/^0x[0-9a-fA-F]{64}$/.test(key ?? '')) fail('KEY must hold a private key: 0x and 64 hex digits.')
  const account = privateKeyToAccount(key)
  const call = { options, kind, message, idempotencyKey, body, key, account, environment, readInput }
  checkPlaces(call, kind === 'read' ? [message] : [])

  if (kind === 'message' && message) return await account.signMessage({ message })
  if (kind === 'read' && message) return await signReadIdentity(call, new URL(message))
  if (kind === 'consent' && ['on', 'off'].includes(message)) {
    return JSON.stringify(await signConsent(call, await readChallenge(call)))
  }
  if (kind === 'payment') return await signPayment(call, await readChallenge(call))
  if (kind === 'withdrawal' && /^[1-9][0-9]*$/.test(message)) {
    return JSON.stringify(await signWithdrawal(call, await readRegistered(call)))
  }
  if (kind === 'legal') return JSON.stringify(await signAcceptance(call, await readLegalChallenge(call)))
  return fail(
    'Usage: sign.mjs payment < challenge.json, sign.mjs legal < challenge.json, sign.mjs message <text>, ' +
      'sign.mjs consent on|off < challenge.json, ' +
      'sign.mjs read <url> or sign.mjs withdrawal <base units> < withdrawal-address.json',
  )
}

function readArguments(words) {
  const options = { 'real-key': { type: 'boolean' }, url: { type: 'string' }, deployment: { type: 'string' } }
  try {
    return parseArgs({ args: words, allowPositionals: true, options })
  } catch (error) {
    return fail(error.message)
  }
}

/** The challenge of an x402 version 2 answer, from standard input. */
async function readChallenge(call) {
  return await readJson(call, '402 challenge', (challenge) => challenge.x402Version === 2 && challenge.accepts?.[0])
}

/** What POST /legal/challenge answered, from standard input; it must be for this wallet. */
async function readLegalChallenge(call) {
  const isLegal = ({ message, nonce, bundle }) => message && nonce && bundle?.bundleDigest
  const challenge = await readJson(call, 'legal challenge', isLegal)
  const { address } = call.account
  if (challenge.walletAddress?.toLowerCase() === address.toLowerCase()) return challenge
  return fail(`This challenge is for ${challenge.walletAddress}, and KEY is the key of ${address}.`)
}

/** What GET /wallet/withdrawal-address answered, from standard input. */
async function readRegistered(call) {
  const registration = await readJson(call, 'withdrawal address', ({ usdcDomain }) => usdcDomain?.verifyingContract)
  if (registration.withdrawalAddress) return registration
  return fail('The wallet has no withdrawal address: register one first.')
}

/** JSON from standard input that is what it should be. */
async function readJson({ readInput }, name, isRight) {
  const text = await readInput()
  try {
    const value = JSON.parse(text)
    if (isRight(value)) return value
  } catch {
    // Said below: what came is not it, whatever else it is.
  }
  // What a server sent must not reach the terminal raw.
  return fail(`This is no ${name}: ${text.slice(0, 300).replace(/[^\n\x20-\x7e]/g, '?')}`)
}

/** Signs the transfer that the challenge asks for, valid from an hour ago until its own time limit. */
async function signPayment(call, { resource, accepts: [acceptedTerms] }) {
  const { account } = call
  checkPlaces(call, [resource?.url])
  const now = Math.floor(Date.now() / 1000)
  const authorization = {
    from: account.address,
    to: acceptedTerms.payTo,
    value: acceptedTerms.amount,
    validAfter: String(now - 3600),
    validBefore: String(now + acceptedTerms.maxTimeoutSeconds),
    nonce: nonceFor(call, acceptedTerms),
  }
  const signature = await account.signTypedData({ ...acceptedTerms.extra.eip712, message: authorization })
  const payload = { x402Version: 2, resource, accepted: acceptedTerms, payload: { authorization, signature } }
  return Buffer.from(JSON.stringify(payload)).toString('base64')
}

/** Signs that payments of this wallet must name their request, or need not, at the deployment that the challenge is of. */
async function signConsent(call, { resource, accepts: [{ network, payTo }] }) {
  const { account, message } = call
  checkPlaces(call, [resource?.url])
  const [, chainId] = network.split(':')
  const [walletAddress, timestamp] = [account.address, Math.floor(Date.now() / 1000)]
  const text = `service:consent:${message}:${chainId}:${payTo}:${walletAddress}:${timestamp}`.toLowerCase()
  return {
    walletAddress,
    required: message === 'on',
    timestamp,
    signature: await account.signMessage({ message: text }),
  }
}

/** Signs a transfer of the amount to the registered address, valid for five minutes. */
async function signWithdrawal({ account, message }, { withdrawalAddress: to, usdcDomain: domain }) {
  const [from, value, now] = [account.address, message, Math.floor(Date.now() / 1000)]
  const nonce = `0x${randomBytes(32).toString('hex')}`
  const authorization = { from, to, value, validAfter: '0', validBefore: String(now + 300), nonce }
  const signature = await account.signTypedData({ domain, types, primaryType, message: authorization })
  return { from, amountBaseUnits: value, authorization, signature }
}

/** Says who reads at this service, for an hour: header lines. */
async function signReadIdentity(call, { host }) {
  const { account } = call
  const expires = Math.floor(Date.now() / 1000) + 3600
  const message = `service:read:${chainIdOf(call)}:${host}:${account.address.toLowerCase()}:${expires}`
  return [
    `X-Service-Caller-Address: ${account.address}`,
    `X-Service-Caller-Signature: ${await account.signMessage({ message })}`,
    `X-Service-Read-Expires: ${expires}`,
  ].join('\n')
}

/**
 * Any nonce; or, told the request, the one that names it (docs/internals/security.md). The request is what this client sends,
 * never what the challenge says that it is for.
 */
function nonceFor({ message, idempotencyKey, body }, { network, payTo }) {
  if (message === undefined) return `0x${randomBytes(32).toString('hex')}`
  if (idempotencyKey === undefined) fail("Usage: sign.mjs payment 'POST /api/tasks' <idempotency key> <body>")
  const bodySha256 = createHash('sha256').update(body).digest('hex')
  const [, chainId] = network.split(':')
  return keccak256(
    stringToBytes(`service:pay:${chainId}:${payTo.toLowerCase()}:${message}:${idempotencyKey}:${bodySha256}`),
  )
}

/** Signs the message of a legal challenge, and says the four things that accepting its bundle means. */
async function signAcceptance(call, { message, nonce, bundle }) {
  const { account } = call
  checkPlaces(
    call,
    (bundle.documents ?? []).map(({ url }) => url),
  )
  return {
    walletAddress: account.address,
    signature: await account.signMessage({ message }),
    nonce,
    bundleVersion: bundle.version,
    bundleDigest: bundle.bundleDigest,
    agreedToTerms: true,
    agreedToAcceptableUse: true,
    acknowledgedRisk: true,
    receivedPrivacyNotice: true,
  }
}

/**
 * Refuses a key that may hold money, where the signature is for a local stack.
 * @param urls those of the input
 */
function checkPlaces(call, urls) {
  const { options, environment, kind } = call
  const deploymentFile = options.deployment ?? environment.TASK_MARKET_DEPLOYMENT
  const places = [options.url ?? environment.TASK_MARKET_URL, environment.TASK_MARKET_RPC_URL]
  const givenUrls = [...urls, ...places].filter((url) => url !== undefined && url !== '')
  if (givenUrls.some(isLocal) || isLocalFile(deploymentFile)) checkKey(call)
  // What names no place is taken for the stack of this clone, if one runs; a challenge names one.
  const hasPlace = givenUrls.length > 0 || deploymentFile !== undefined || ['payment', 'consent'].includes(kind)
  if (!hasPlace && isRunningStack()) checkKey(call)
}

/** Says whether a URL is of this machine, where the chain is a local one. */
function isLocal(url) {
  try {
    const { hostname } = new URL(url)
    return /^((.+\.)?localhost\.?|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(7f..:\w+|0:0)\])$/.test(hostname)
  } catch {
    return false
  }
}

/** Says whether a deployment file is of a local chain: its own word, or that it is the stack.json of a stack. */
function isLocalFile(path) {
  if (path === undefined || path === '') return false
  try {
    const { local, addresses } = JSON.parse(readFileSync(path, 'utf8'))
    return addresses === undefined ? local === true : addresses.local !== false
  } catch {
    return fail(`${path} is no deployment file.`)
  }
}

/** The chain of the deployment file that is named, else Base. */
function chainIdOf({ options, environment }) {
  const file = options.deployment ?? environment.TASK_MARKET_DEPLOYMENT
  if (file === undefined || file === '') return 8453
  const { chainId, addresses } = JSON.parse(readFileSync(file, 'utf8'))
  return addresses?.chainId ?? chainId
}

/** Says whether a stack of this clone runs, by its own file. */
function isRunningStack() {
  try {
    return JSON.parse(readFileSync(new URL('../.local/stack.json', import.meta.url), 'utf8')).running !== false
  } catch {
    return false
  }
}

/** Refuses a key that may hold money. */
function checkKey({ options, key, account }) {
  if (options['real-key']) return
  const mnemonic = 'test test test test test test test test test test test junk'
  const parent = mnemonicToAccount(mnemonic, { path: "m/44'/60'/0'/0" }).getHdKey()
  const publicKeys = Array.from({ length: 20 }, (_, index) => Buffer.from(parent.deriveChild(index).privateKey))
  if (publicKeys.some((publicKey) => `0x${publicKey.toString('hex')}` === key.toLowerCase())) return
  fail(
    `${account.address} is no public test account, and this signature is for a local stack. The local chain has the ` +
      'chain id of Base, USDC at the same address and the same contracts, so that a payment signed here can be ' +
      'presented on Base, too. Use a key that `npm start` prints, or pass --real-key. Nothing was signed.',
  )
}

/** @returns {never} */
function fail(problem) {
  throw new Refusal(problem)
}
