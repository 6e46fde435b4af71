import fc from 'fast-check'
import { html } from 'hono/html'
import { expect, test } from 'vitest'
import { createExplorer } from '../../../web/html/address.ts'
import { niceTop } from '../../../web/html/chart.ts'
import { markdown } from '../../../web/html/markdown.ts'
import { percent } from '../../../web/html/money.ts'
import { decimalsOf, type Movement } from '../../../web/html/movements.ts'
import { block, inline } from '../../../web/html/text.ts'
import { duration, relativeText } from '../../../web/html/time.ts'
import { ReadProblem } from '../../../web/http/read.ts'
import { problemPage } from '../../../web/pages/problem.ts'
import { sumTaskMoney } from '../../../web/pages/tasks/task-money.ts'
import { toPage } from '../../../web/pages/tasks/task-page.ts'
import { amount } from '../../../web/words/amount.ts'
import { cut, excerpt, plain, titled } from '../../../web/words/text.ts'
import { byDepth } from '../../support/depth.ts'
import { aTask, NOW } from './a-task.ts'

/** Every element that a stranger's text may become, with every attribute that it may have. */
const ADMITTED =
  /^<(?:\/?(?:bdi|p|em|strong|code|pre|blockquote|ul|ol|li|a)|br|hr|p (?:class="plain" )?dir="auto"(?: class="heading")?|pre tabindex="0"|ol start="\d+"|a href="https?:\/\/[^"<>]*" rel="nofollow noopener ugc" referrerpolicy="no-referrer" title="https?:\/\/[^"<>]*")>$/

const fragments = fc.constantFrom(
  '<',
  '>',
  '"',
  "'",
  '&',
  '<script>',
  '<img src=x onerror=a>',
  '](',
  '[a](',
  'javascript:',
  'https://a.example/"',
  '`',
  '```\n',
  '\n',
  '\n\n',
  '> ',
  '- ',
  '1. ',
  '# ',
  '*',
  '**',
  '_',
  '![',
  '<!--',
  '-->',
  '<b>',
  '&lt;',
  '&#x3c;',
  '\u202e',
  '\u0000',
  '\ud800',
  '[a]: ',
  'data:text/html,',
  '\\',
  '<https://a.example>',
  '</p>',
  '\t',
  '---',
  '===',
  ' style="x"',
  '&colon;',
)
const hostile = fc
  .array(fc.oneof(fragments, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 40 })
  .map((parts) => parts.join(''))

function expectNoMarkup(rendered: string): void {
  for (const [tag] of rendered.matchAll(/<[^>]*>?/g)) expect(tag).toMatch(ADMITTED)
  expect(rendered).not.toMatch(/\p{Bidi_Control}/u)
}

test('given any text, then what is shown of it has no markup but that of the closed list', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      for (const show of [markdown, inline, block]) expectNoMarkup(String(show(text)))
      expectNoMarkup(String(html`${titled(text).title}`))
      expectNoMarkup(String(html`<p dir="auto">${plain(excerpt(text))}</p>`))
    }),
    { numRuns: byDepth(300, 2_000) },
  )
})

test.each([
  ['a [b](javascript:alert(1))', '<p dir="auto">a b <code>javascript:alert(1)</code></p>'],
  ['<img src=x>', '<code>&lt;img src=x&gt;</code>'],
  [
    '![x](https://a.example/i.png)',
    '<p dir="auto"><a href="https://a.example/i.png" rel="nofollow noopener ugc" referrerpolicy="no-referrer" title="https://a.example/i.png">x</a></p>',
  ],
  ['# One', '<p dir="auto" class="heading">One</p>'],
  ['a\u202eb', '<p dir="auto">a[U+202E]b</p>'],
])('renders %j', (text, expected) => {
  expect(String(markdown(text))).toBe(expected)
})

test('given a text that is costly to parse, then it is shown as it is written, at once', () => {
  const costly = [
    '> '.repeat(5_000),
    '['.repeat(10_000),
    '*a'.repeat(5_000),
    '- '.repeat(5_000),
    '![['.repeat(3_000),
    '`'.repeat(9_999),
  ]
  const start = performance.now()
  for (const text of costly) markdown(text)
  expect(performance.now() - start).toBeLessThan(20_000)
})

test.each([
  ['1204500000', 6, '1,204.50'],
  ['1000', 6, '0.001'],
  ['0', 6, '0.00'],
  ['-5000000', 6, '−5.00'],
  ['123456789', null, '123,456,789'],
  ['1000000000000000000000000', 18, '1,000,000.00'],
] as const)('writes %s of %s decimals as %s', (units, decimals, expected) => {
  expect(amount(units, decimals)).toBe(expected)
})

test('given any amount, then its text is exact', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.integer({ min: 1, max: 24 }), (units, decimals) => {
      const [whole = '', fraction = ''] = amount(units, decimals).replaceAll(',', '').split('.')
      expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(units)
    }),
  )
})

test.each([
  [30_000, '30 s'],
  [3_540_000, '59 min'],
  [7_200_000, '2 h'],
  [172_800_000, '2 days'],
  [86_400_000 * 90, '3 months'],
])('says %s ms as %s', (milliseconds, expected) => {
  expect(duration(milliseconds)).toBe(expected)
})

test('says times before and after now', () => {
  expect(relativeText('2026-11-28T10:00:00.000Z', NOW)).toBe('2 h ago')
  expect(relativeText('2026-12-01T12:00:00.000Z', NOW)).toBe('in 3 days')
})

test('cuts a text at a word', () => {
  expect(cut('one two three', 9)).toBe('one two…')
  expect(cut('one', 9)).toBe('one')
  expect(percent(750)).toBe('7.5 %')
  expect(niceTop(43)).toBe(50)
})

test.each(['//other.example/tasks', '/\\other.example/tasks'])(
  'given a refusal at %s, then “Try again” stays on this host',
  (path) => {
    const { page } = problemPage(new ReadProblem('Too many.', { status: 429 }), path)
    expect(String(page.body)).toContain('<a class="button quiet" href="/other.example/tasks">Try again</a>')
  },
)

test('given a task with every text hostile, then its page has no markup of them', async () => {
  const text = '<script>a</script>"><img src=x onerror=b>\u202e'
  const task = aTask({
    description: `${text}\n\n${text}`,
    tags: [text],
    metricDescription: text,
    metricTarget: text,
    taskDrop: { id: 'd', name: text },
  })
  const artifact = {
    id: 'a',
    taskId: task.id,
    submissionId: 's',
    workerAddress: task.requester,
    workerAgentId: text,
    role: 'final',
    fileName: text,
    mimeType: 'text/html',
    mediaKind: 'text',
    storageUri: 'artifact:a',
    sizeBytes: 1,
    sha256Hash: '00',
    keccak256Hash: '0x',
    displayOrder: 0,
    textPreview: text,
  } as const
  const worker = { workerAddress: task.requester, workerAgentId: null }
  const page = toPage(
    {
      task,
      submissions: [
        {
          id: 's',
          referenceCode: 'SUB-1',
          taskId: task.id,
          ...worker,
          fileUrl: null,
          signature: null,
          submittedAt: task.createdAt,
          rejectedAt: null,
          deliverableHash: null,
          submitTxHash: null,
          artifacts: [artifact],
          workerStats: null,
        },
      ],
      pitches: [
        {
          id: 'p',
          taskId: task.id,
          ...worker,
          pitchText: text,
          estimatedDuration: 2,
          status: 'pending',
          submittedAt: task.createdAt,
        },
      ],
      bids: [],
      proofs: [],
      claim: null,
      feedbacks: [],
      requester: null,
      movements: [],
    },
    createExplorer(undefined),
    NOW,
  )
  const shown = String(await html`${page.body}`)
  expect(shown).toContain('&lt;script&gt;')
  expect(shown).not.toMatch(/<script|<img|\u202e/)
  expect(`${page.title}${page.description}`).not.toContain('\u202e')
})

test.each([
  ['1500000', '1.5', 6],
  ['7', '0.000007', 6],
  ['1000000', '1', 6],
  ['1', '0.000000000000000001', 18],
  ['5', '5', 0],
  ['0', '0', 0],
  ['5', null, null],
])('given %s base units that are %s, then the token has %s decimals', (units, amountUnits, decimals) => {
  expect(decimalsOf({ amount: units, amountUnits })).toBe(decimals)
})

test('given all movements of a task, then what came in less what went out is left; given more than there are here, then no sum', () => {
  const id = '0x01'
  const movement = (from: string, to: string, units: string): Movement => ({
    id: from + to,
    block: 1,
    timestamp: '2030-01-01T00:00:00.000Z',
    transactionHash: '0x02',
    logIndex: 0,
    asset: '0x03',
    kind: 'funded',
    from,
    to,
    amount: units,
    amountUnits: null,
    taskId: id,
    operation: null,
  })
  const movements = [
    movement('0xa', 'escrow:0x01', '40'),
    movement('0xb', 'stake:0x01', '2'),
    movement('stake:0x01', '0xb', '2'),
    movement('escrow:0x01', '0xb', '30'),
    movement('0xa', 'service_fees', '1'),
  ]
  expect(sumTaskMoney({ task: { id }, movements })).toEqual({ into: 42n, outOf: 32n, left: 10n })
  expect(sumTaskMoney({ task: { id }, movements: Array(20).fill(movements).flat() })).toBeNull()
})
