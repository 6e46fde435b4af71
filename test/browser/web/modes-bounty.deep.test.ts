import { expect, test } from 'vitest'
import { openClicking, shortOf } from './clicking.ts'

const { post, deliver, act, accept, buttons, passHours, visit } = openClicking()

test('given a bounty with two entries, when one is rejected and one accepted and rated, then the worker of that is paid', async () => {
  const path = await post({ title: 'Name a cat', reward: '4.00' })
  await deliver('alice', path)
  await deliver('bob', path, { name: 'bob.txt', text: 'Minka' })
  await act('requester', path, {
    button: 'Reject an entry',
    fill: (dialog) => dialog.getByLabel(shortOf('alice')).check(),
    sheet: { 'Service fee': '0.001 USDC' },
    confirm: 'Reject this work (fee 0.001 USDC)',
    done: 'Rejected. This worker cannot deliver to this task again.',
    money: { requester: -1_000n },
  })
  await accept(path, {
    worker: 'bob',
    net: '3.70',
    fee: '0.30',
    fill: async (dialog) => {
      expect(await dialog.getByRole('radio').count()).toBe(1)
    },
  })
  await act('requester', path, {
    button: 'Rate the worker',
    fill: async (dialog) => {
      await dialog.getByLabel('Rating, 0 to 100').fill('90')
      await dialog.getByLabel('What was it like?').fill('Good <b>work</b>')
    },
    sheet: { 'Service fee': '0.001 USDC', Worker: shortOf('bob'), Rating: '90 of 100' },
    confirm: 'Rate the worker (fee 0.001 USDC)',
    done: 'Rated.',
    money: { requester: -1_000n },
  })
  expect(await buttons('requester', path)).toEqual([])
})

test('given a bounty with three entries, when the reward is split, then each winner has its part', async () => {
  const path = await post({ title: 'Name two cats', reward: '1.000001' })
  await deliver('alice', path)
  await deliver('bob', path)
  await deliver('carol', path)
  await act('requester', path, {
    button: 'Split the reward',
    fill: async (dialog) => {
      await dialog.getByRole('textbox', { name: shortOf('alice') }).fill('50.01')
      await dialog.getByRole('textbox', { name: shortOf('bob') }).fill('0')
      await dialog.getByRole('textbox', { name: shortOf('carol') }).fill('49.99')
    },
    sheet: {
      'Service fee': '0.001 USDC',
      [`${shortOf('alice')} receives`]: '0.462594 USDC',
      [`${shortOf('carol')} receives`]: '0.462408 USDC',
      'Platform fee 7.5 %': '0.074999 USDC',
    },
    confirm: 'Split the reward (fee 0.001 USDC)',
    done: 'The reward is shared out.',
    money: { requester: -1_000n, alice: 462_594n, carol: 462_408n, feeRecipient: 74_999n },
  })
  for (const worker of ['alice', 'carol'] as const) {
    const page = await visit('requester', path)
    expect(await page.locator('[data-act=rate]').count()).toBe(worker === 'alice' ? 2 : 1)
    await act('requester', path, {
      button: 'Rate the worker',
      fill: async (dialog) => {
        await dialog.getByLabel('Rating, 0 to 100').fill('100')
      },
      sheet: { 'Service fee': '0.001 USDC', Worker: shortOf(worker), Rating: '100 of 100' },
      confirm: 'Rate the worker (fee 0.001 USDC)',
      done: 'Rated.',
      money: { requester: -1_000n },
    })
  }
})

test('given an open bounty, when it is changed, given an evaluator, and cancelled, then the money follows', async () => {
  const path = await post({ title: 'Change me', reward: '2.00' })
  await act('requester', path, {
    button: 'Change this task',
    fill: async (dialog) => {
      await dialog.getByLabel('New reward, USDC').fill('3')
      await dialog.getByLabel('Text (optional)').fill('Changed')
      await dialog.getByLabel(/^Tags/).fill('cats, names')
    },
    sheet: {
      'Into escrow, on chain': '1.00 USDC',
      'Service fee': '0.001 USDC',
      'In all': '1.001 USDC',
      Reward: '2.00 → 3.00 USDC',
    },
    confirm: 'Change this task for 1.001 USDC',
    done: 'The task is changed.',
    money: { requester: -1_001_000n },
  })
  await act('requester', path, {
    button: 'Change this task',
    fill: (dialog) => dialog.getByLabel('New reward, USDC').fill('2.5'),
    sheet: { 'Service fee': '0.001 USDC', Reward: '3.00 → 2.50 USDC', 'Back to you, out of escrow': '0.50 USDC' },
    confirm: 'Change this task (fee 0.001 USDC)',
    done: 'The task is changed.',
    money: { requester: 499_000n },
  })
  await act('requester', path, {
    button: 'Cancel this task',
    sheet: { 'Service fee': '0.001 USDC', 'Back to the requester, out of escrow': '2.50 USDC' },
    confirm: 'Cancel this task (fee 0.001 USDC)',
    done: 'Cancelled: the reward is back in your wallet.',
    money: { requester: 2_499_000n },
  })
})

test('given a bounty without an entry that is over, when a stranger takes the refund to its requester, then the requester has it', async () => {
  const path = await post({
    title: 'No entry comes',
    reward: '2.00',
    fill: async (page) => {
      await page.getByLabel('Open for').selectOption('1 day')
    },
  })
  await passHours(24)
  await act('bob', path, {
    button: 'Take the refund',
    sheet: { 'Service fee': '0.001 USDC', 'Back to the requester, out of escrow': '2.00 USDC' },
    confirm: 'Take the refund (fee 0.001 USDC)',
    done: 'Refunded.',
    money: { requester: 2_000_000n, bob: -1_000n },
  })
})

test('given a bounty without an answer for 90 days, when a stranger settles it, then the reward goes back', async () => {
  const path = await post({ title: 'Silence', reward: '2.00' })
  await deliver('alice', path)
  await passHours(24 * 94)
  await act('bob', path, {
    button: 'Settle it without the requester',
    sheet: { 'You pay': 'nothing', 'Back to the requester, out of escrow': '2.00 USDC' },
    confirm: 'Settle it without the requester',
    done: 'Settled.',
    money: { requester: 2_000_000n },
  })
})
