#!/usr/bin/env node
/**
 * Signs what a write needs, for walks with curl. Any Node from 18 on; the wallet's key is in KEY.
 *
 *   curl ... | KEY=0x... node scripts/sign.mjs payment      the 402's body on standard input -> PAYMENT-SIGNATURE
 *   KEY=0x... node scripts/sign.mjs message 'service:submit:0x...'   -> an EIP-191 signature
 */
import { randomBytes } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'

const [kind, message] = process.argv.slice(2)
const key = process.env.KEY
if (!/^0x[0-9a-fA-F]{64}$/.test(key ?? '')) fail('KEY must hold a private key: 0x and 64 hex digits.')
const account = privateKeyToAccount(key)

if (kind === 'message' && message) console.log(await account.signMessage({ message }))
else if (kind === 'payment') console.log(await signPayment(await readChallenge()))
else fail('Usage: sign.mjs payment < challenge.json, or sign.mjs message <text>')

/** The challenge of an x402 version 2 answer, from standard input. */
async function readChallenge() {
  let text = ''
  for await (const chunk of process.stdin) text += chunk
  try {
    const challenge = JSON.parse(text)
    if (challenge.x402Version === 2 && challenge.accepts?.[0]) return challenge
  } catch {
    // Said below: what came is no challenge, whatever else it is.
  }
  return fail(`This is no 402 challenge: ${text.slice(0, 300)}`)
}

/** Signs the transfer that the challenge asks for, valid from an hour ago until its own time limit. */
async function signPayment({ resource, accepts: [accepted] }) {
  const now = Math.floor(Date.now() / 1000)
  const authorization = {
    from: account.address,
    to: accepted.payTo,
    value: accepted.amount,
    validAfter: String(now - 3600),
    validBefore: String(now + accepted.maxTimeoutSeconds),
    nonce: `0x${randomBytes(32).toString('hex')}`,
  }
  const signature = await account.signTypedData({ ...accepted.extra.eip712, message: authorization })
  const payload = { x402Version: 2, resource, accepted, payload: { authorization, signature } }
  return Buffer.from(JSON.stringify(payload)).toString('base64')
}

function fail(problem) {
  console.error(problem)
  process.exit(1)
}
