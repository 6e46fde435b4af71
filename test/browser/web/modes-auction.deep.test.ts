import { expect, test } from 'vitest'
import { openClicking } from './clicking.ts'

const { post, deliver, act, accept, buttons, passHours } = openClicking()
const fee = { 'Service fee': '0.001 USDC' }

for (const [kind, about] of [
  ['Open bids', 'english'],
  ['Sealed bids', 'reverse_english'],
] as const) {
  test(`given an auction by ${about}, when two workers bid and the lowest delivers, then it is paid its price`, async () => {
    const path = await post({
      title: 'Bid for me',
      reward: '4.00',
      fill: async (page) => {
        await page.getByRole('radio', { name: /^Auction/ }).check()
        await page.getByRole('radio', { name: new RegExp(`^${kind}`) }).check()
      },
    })
    for (const [worker, price, net] of [
      ['alice', '3.00', '2.775'],
      ['bob', '2.00', '1.85'],
    ] as const) {
      await act(worker, path, {
        button: 'Bid',
        fill: (dialog) => dialog.getByLabel('What you ask, USDC').fill(price),
        sheet: { ...fee, 'You ask': `${price} USDC`, 'You would receive': `${net} USDC` },
        confirm: 'Bid (fee 0.001 USDC)',
        done: 'Your bid is placed.',
        money: { [worker]: -1_000n },
      })
    }
    await passHours(24)
    await act('requester', path, {
      button: 'Give it to the lowest bid',
      sheet: { 'You pay': 'nothing', 'Lowest bid': '2.00 USDC', 'Back to the requester, out of escrow': '2.00 USDC' },
      confirm: 'Give it to the lowest bid',
      done: 'The lowest bidder has the task.',
      money: { requester: 2_000_000n },
    })
    expect(await buttons('alice', path)).toEqual([])
    await deliver('bob', path)
    await accept(path, { worker: 'bob', net: '1.85', fee: '0.15' })
  })
}

test('given an auction with a falling price, when a worker takes it at the floor, delivers and is accepted, then it is paid the floor', async () => {
  const path = await post({
    title: 'Take the clock price',
    reward: '4.00',
    fill: async (page) => {
      await page.getByRole('radio', { name: /^Auction/ }).check()
      await page.getByRole('radio', { name: /^Falling price/ }).check()
      await page.getByLabel('Lowest price, USDC').fill('1')
    },
  })
  await act('requester', path, {
    button: 'Change this task',
    fill: async (dialog) => {
      await dialog.getByLabel('New floor, USDC').fill('2')
    },
    sheet: { ...fee },
    confirm: 'Change this task (fee 0.001 USDC)',
    done: 'The task is changed.',
    money: { requester: -1_000n },
  })
  await passHours(25)
  await act('alice', path, {
    button: 'Take it at the present price',
    sheet: { ...fee, 'Price now': '2.00 USDC', 'You would receive': '1.85 USDC' },
    confirm: 'Take it at the present price (fee 0.001 USDC)',
    done: 'The task is yours: deliver before it ends.',
    money: { alice: -1_000n, requester: 2_000_000n },
  })
  await deliver('alice', path)
  await accept(path, { worker: 'alice', net: '1.85', fee: '0.15' })
})
