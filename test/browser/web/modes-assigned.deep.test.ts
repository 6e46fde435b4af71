import { expect, test } from 'vitest'
import { openClicking, shortOf } from './clicking.ts'

const { post, deliver, act, accept, buttons, passHours, visit } = openClicking()
const fee = { 'Service fee': '0.001 USDC' }

/** Posts a task that alice claims with a stake; its path. */
async function claimed(title: string): Promise<string> {
  const path = await post({
    title,
    reward: '4.00',
    fill: async (page) => {
      await page.getByRole('radio', { name: /^Claim/ }).check()
      await page.getByLabel(/^Stake of the worker/).fill('10')
    },
  })
  await act('alice', path, {
    button: 'Claim this task',
    sheet: { 'Into escrow, on chain': '0.40 USDC' },
    confirm: 'Claim this task for 0.40 USDC',
    done: 'The task is yours: deliver before it ends.',
    money: { alice: -400_000n },
  })
  return path
}

test('given a claim with a stake, when it is claimed, delivered and accepted, then reward and stake go to the worker', async () => {
  const path = await claimed('Claim me')
  expect(await buttons('bob', path)).toEqual([])
  await deliver('alice', path)
  await act('requester', path, {
    button: 'Refuse this delivery',
    sheet: { ...fee },
    confirm: 'Refuse this delivery (fee 0.001 USDC)',
    done: 'Your refusal is on record',
    money: { requester: -1_000n },
  })
  await accept(path, { worker: 'alice', net: '3.70', fee: '0.30', stake: '0.40' })
})

test('given a claim without a delivery, when its requester ends the claim, then the stake goes to the platform and it is open again', async () => {
  const path = await claimed('Claim and forget')
  await passHours(73)
  await act('requester', path, {
    button: 'End the claim',
    sheet: { 'You pay': 'nothing', 'Stake of the worker, to the platform': '0.40 USDC' },
    confirm: 'End the claim',
    done: 'The claim is ended.',
    money: { feeRecipient: 400_000n },
  })
})

test('given two pitches, when one is selected, delivered and accepted, then its worker is paid', async () => {
  const path = await post({
    title: 'Pitch for me',
    reward: '4.00',
    fill: async (page) => page.getByRole('radio', { name: /^Pitch/ }).check(),
  })
  for (const worker of ['alice', 'bob'] as const) {
    await act(worker, path, {
      button: 'Pitch',
      fill: async (dialog) => {
        await dialog.getByLabel('How would you do it?').fill(`As ${worker}: <b>well</b>`)
        await dialog.getByLabel(/^Hours you need/).fill('2')
      },
      sheet: { ...fee },
      confirm: 'Pitch (fee 0.001 USDC)',
      done: 'Your pitch is in.',
      money: { [worker]: -1_000n },
    })
  }
  await act('requester', path, {
    button: 'Choose a worker',
    fill: (dialog) => dialog.getByLabel(shortOf('bob')).check(),
    sheet: { ...fee },
    confirm: 'Choose this worker (fee 0.001 USDC)',
    done: 'The worker is chosen and can deliver now.',
    money: { requester: -1_000n },
  })
  expect(await buttons('alice', path)).toEqual([])
  await deliver('bob', path)
  await accept(path, { worker: 'bob', net: '3.70', fee: '0.30' })
})

test('given a benchmark with two proofs, when one is accepted, then its worker is paid', async () => {
  const path = await post({
    title: 'Be the fastest',
    reward: '4.00',
    fill: async (page) => {
      await page.getByRole('radio', { name: /^Benchmark/ }).check()
      await page.getByLabel('What is measured?').fill('Milliseconds')
    },
  })
  for (const [worker, value] of [
    ['alice', '41'],
    ['bob', '40'],
  ] as const) {
    await act(worker, path, {
      button: 'Submit a proof',
      fill: async (dialog) => {
        await dialog.getByLabel('Milliseconds').fill(value)
        await dialog.getByLabel('A link').check()
        await dialog.getByLabel('Proof', { exact: true }).fill('https://example.test/result')
      },
      sheet: { ...fee },
      confirm: 'Submit a proof (fee 0.001 USDC)',
      done: 'Your result is in.',
      money: { [worker]: -1_000n },
    })
  }
  await accept(path, {
    worker: 'bob',
    net: '3.70',
    fee: '0.30',
    fill: (dialog) => dialog.getByLabel(shortOf('bob')).check(),
  })
  const page = await visit('bob', path)
  await page.locator('main .state', { hasText: 'Paid' }).first().waitFor()
})
