import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { addressOf, openClicking, shortOf } from './clicking.ts'

const { post, deliver, act, accept, buttons, passHours } = openClicking()
const fee = { 'Service fee': '0.001 USDC' }

async function claimed(title: string): Promise<string> {
  const path = await post({
    title,
    reward: '4.00',
    fill: async (page) => {
      await page.getByRole('radio', { name: /^Claim/ }).check()
      await page.locator('summary', { hasText: 'More' }).click()
      await page.getByLabel(/^Evaluator decides/).fill(addressOf('evaluator'))
      await page.getByLabel('Evaluator’s fee, percent').fill('5')
      await page.getByLabel(/^Who settles appeals/).fill(addressOf('resolver'))
      expect(await page.locator('#price dl').textContent()).toBe(
        'Into escrow4.00 USDCWorker receives3.515 USDCPlatform fee 7.5 %0.285 USDCEvaluator’s fee0.20 USDC',
      )
    },
  })
  await act('alice', path, {
    button: 'Claim this task',
    sheet: { 'You pay': 'nothing' },
    confirm: 'Claim this task',
    done: 'The task is yours: deliver before it ends.',
  })
  await deliver('alice', path)
  return path
}

const verdict = (name: string) => async (dialog: Locator) => {
  await dialog.getByRole('radio', { name: new RegExp(`^${name}`) }).check()
}

test('given a verdict that rejects, when the worker appeals and the resolver approves, then the worker is paid', async () => {
  const path = await claimed('Judge me')
  await act('evaluator', path, {
    button: 'Give the verdict',
    fill: verdict('Reject'),
    sheet: { ...fee, 'Evaluator’s fee': '0.20 USDC', 'Back to the requester': '3.80 USDC' },
    confirm: 'Give the verdict (fee 0.001 USDC)',
    done: 'Your verdict is given.',
    money: { evaluator: 199_000n },
  })
  await act('alice', path, {
    button: 'Appeal',
    sheet: { ...fee },
    confirm: 'Appeal (fee 0.001 USDC)',
    done: 'Appealed: the dispute resolver decides.',
    money: { alice: -1_000n },
  })
  await act('resolver', path, {
    button: 'Settle the dispute',
    fill: verdict('Approve'),
    sheet: { ...fee, [`${shortOf('alice')} receives`]: '3.515 USDC', 'Platform fee 7.5 %': '0.285 USDC' },
    confirm: 'Settle the dispute (fee 0.001 USDC)',
    done: 'The dispute is settled.',
    money: { resolver: -1_000n, alice: 3_515_000n, feeRecipient: 285_000n },
  })
})

test('given a verdict for a part, when its time of appeals is over, then anyone carries it out', async () => {
  const path = await claimed('Judge a part of me')
  await act('evaluator', path, {
    button: 'Give the verdict',
    fill: async (dialog) => {
      await dialog.getByRole('radio', { name: /^In part/ }).check()
      await dialog.getByRole('textbox', { name: shortOf('alice') }).fill('2')
    },
    sheet: {
      ...fee,
      [`${shortOf('alice')} receives`]: '1.85 USDC',
      'Platform fee 7.5 %': '0.15 USDC',
      'Evaluator’s fee': '0.20 USDC',
      'Back to the requester': '1.80 USDC',
    },
    confirm: 'Give the verdict (fee 0.001 USDC)',
    done: 'Your verdict is given.',
    money: { evaluator: 199_000n },
  })
  await passHours(73)
  await act('bob', path, {
    button: 'Carry the verdict out',
    sheet: { 'You pay': 'nothing' },
    confirm: 'Carry the verdict out',
    done: 'The verdict is carried out.',
    money: { alice: 1_850_000n, requester: 1_800_000n, feeRecipient: 150_000n },
  })
})

test('given an evaluator who does not answer, when the requester goes on without, then they accept as usual', async () => {
  const path = await claimed('Wait for no verdict')
  await passHours(73)
  await act('requester', path, {
    button: 'Go on without the evaluator',
    sheet: { ...fee },
    confirm: 'Go on without the evaluator (fee 0.001 USDC)',
    done: 'The evaluator is out: the requester decides now.',
    money: { requester: -1_000n },
  })
  await accept(path, { worker: 'alice', net: '3.70', fee: '0.30' })
})

test('given a bounty that gets an evaluator, when it approves one of two before the end, then that one is paid after appeals', async () => {
  const path = await post({ title: 'Judge a contest', reward: '4.00' })
  await act('requester', path, {
    button: 'Name an evaluator',
    fill: async (dialog) => {
      await dialog.getByLabel('Evaluator', { exact: true }).fill(addressOf('evaluator'))
      await dialog.getByLabel('Fee, percent').fill('5')
    },
    sheet: { ...fee, Evaluator: shortOf('evaluator'), 'Evaluator’s fee': '0.20 USDC' },
    confirm: 'Name an evaluator (fee 0.001 USDC)',
    done: 'The evaluator is named.',
    money: { requester: -1_000n },
  })
  await deliver('alice', path)
  await deliver('bob', path)
  await act('evaluator', path, {
    button: 'Give the verdict',
    fill: async (dialog) => {
      expect(await dialog.getByRole('radio').count()).toBe(1)
      await dialog.getByRole('textbox', { name: shortOf('bob') }).fill('3.8')
    },
    sheet: {
      ...fee,
      [`${shortOf('bob')} receives`]: '3.515 USDC',
      'Platform fee 7.5 %': '0.285 USDC',
      'Evaluator’s fee': '0.20 USDC',
    },
    confirm: 'Give the verdict (fee 0.001 USDC)',
    done: 'Your verdict is given.',
    money: { evaluator: 199_000n },
  })
  await passHours(73)
  expect(await buttons('carol', path)).toEqual(['finalize_verdict'])
  await act('carol', path, {
    button: 'Carry the verdict out',
    sheet: { 'You pay': 'nothing' },
    confirm: 'Carry the verdict out',
    done: 'The verdict is carried out.',
    money: { bob: 3_515_000n, feeRecipient: 285_000n },
  })
})
