import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byDepth } from '../../support/depth.ts'
import { openSearchedTasks } from './searched-tasks.ts'

const searched = openSearchedTasks()
const create = (description: string, tags: string[] = []) => searched.create({ description, tags })
const list = (query: Record<string, string>) => searched.list(new URLSearchParams(query))

const texts: { text: string; found: string[]; missed: string[] }[] = [
  {
    text: 'Mend /etc/nginx/nginx.conf, ./src/app.ts, ~/x/.env.local and /slash',
    found: [
      '/etc/nginx/nginx.conf',
      'etc/nginx/nginx.conf',
      '"/etc/nginx/nginx.conf"',
      './src/app.ts',
      '~/x/.env.local',
      '/slash',
      'mend -/usr/local',
    ],
    missed: ['/etc/nginx/mime.types', 'mend -/etc/nginx/nginx.conf', 'mend -/slash'],
  },
  {
    text: 'Fix https://github.com/acme/widget-factory/issues/123, please.',
    found: [
      'https://github.com/acme/widget-factory/issues/123',
      'HTTPS://GitHub.com/acme/Widget-Factory/issues/123',
      'github.com/acme/widget-factory',
      'github.com',
      'widget-factory',
      'widget',
      'factories',
      'acme/widget-factory',
      'issues/123',
      '123',
      '"acme/widget-factory"',
      '"fix https://github.com/acme/widget-factory/issues/123 please"',
      'fix -gadget-factory',
      'gadget-factory or widget-factory',
    ],
    missed: ['widget-factories-x', 'factory-widget', 'fix -widget-factory', 'fix -"widget-factory"', 'github.org'],
  },
  {
    text: 'Rotate tokens in src/auth/oauth/session_store.ts (v2.14.3)',
    found: [
      'oauth',
      'session_store.ts',
      'session_store',
      'session',
      'store.ts',
      'auth/oauth',
      '2.14.3',
      'v2.14.3',
      '2.14',
    ],
    missed: ['2.14.4', 'session_stores.js', 'v3', 'store_session', 'tokens -oauth', '-session_store.ts'],
  },
  {
    text: 'Write to jane.doe+bids@mail.example.co.uk about task-market@1.0.0-rc.1',
    found: [
      'jane.doe+bids@mail.example.co.uk',
      'jane.doe',
      'example.co.uk',
      'mail.example.co.uk',
      'jane',
      'task-market',
      'task-market@1.0.0-rc.1',
      '1.0.0-rc.1',
    ],
    missed: ['john.doe', 'example.com'],
  },
  {
    text: 'See to.do and who.is, a config named .env.local, C:\\Users\\me\\notes.txt and `useState()`',
    found: [
      'to.do',
      '"to.do"',
      'who.is',
      '.env.local',
      'env.local',
      'env',
      'C:\\Users\\me\\notes.txt',
      'notes.txt',
      'useState',
    ],
    missed: ['do.to', '.env.test'],
  },
  {
    text: 'Naïve café-crème „Größe“ – 日本語、東京 https://example.org/größe?q=a&b=c#top',
    found: [
      'café-crème',
      'crème',
      'größe',
      'naïve',
      '東京',
      'example.org/größe',
      'https://example.org/größe?q=a&b=c#top',
    ],
    missed: ['crème-café'],
  },
  {
    text: "İstanbul ve Diyarbakır için: don't wait, that’s 5 o’clock",
    found: [
      'istanbul',
      'İSTANBUL',
      'ISTANBUL',
      'İstanbul',
      'diyarbakir',
      'DİYARBAKIR',
      'i\u0307stanbul',
      "don't",
      'don’t',
      'donʼt',
      '"don’t wait"',
      "o'clock",
      'o’clock',
    ],
    missed: ['stanbul', 'dont', 'wait -don’t', "istanbul -o'clock"],
  },
]

test('given filters that contradict each other, then a ranked list is empty, as any other', async () => {
  await create('Draw a crab')
  for (const sort of ['relevance', 'newest', 'reward_desc']) {
    expect(await list({ q: 'crab', sort, status: 'completed', phase: 'active' }), sort).toEqual([])
  }
})

// `task-search.test.ts` has the lists of the table of words.
test.each(texts)('$text is found by its tokens, whole and in part', async ({ text, found, missed }) => {
  const id = await create(text)
  await create('Something else altogether')
  for (const q of found) expect(await list({ q }), q).toEqual([id])
  for (const q of missed) expect(await list({ q }), q).not.toContain(id)
})

test('a tag is found like a text, also in the table of words', async () => {
  const id = await create('Draw', ['machine-learning/v2.1'])
  for (const prepare of [async () => {}, searched.fill]) {
    await prepare()
    for (const q of ['machine-learning', 'learning', '2.1', 'v2.1', 'machine-learning/v2.1']) {
      expect(await list({ q }), q).toEqual([id])
    }
  }
})

const word = fc.constantFrom('alpha', 'Beta', 'gamma7', 'x2', 'über', '42', 'v3', 'do')
const mark = fc.constantFrom('-', '_', '.', '/', ':', '@', '+', '://', '#', '~', ',', "'")
const token = fc
  .tuple(word, fc.array(fc.tuple(mark, word), { minLength: 1, maxLength: 4 }))
  .map(([first, others]) => first + others.map(([between, next]) => between + next).join(''))
const around = fc.constantFrom('', '(', '"', '`', ' ')

test('any token is found whole wherever it stands, alone, in quotes and beside other words', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(token, { minLength: 1, maxLength: 3 }), around, async (tokens, mark) => {
      const text = tokens.map((each) => `harbour ${mark}${each}${mark}`).join(' ')
      for (const each of tokens) {
        for (const q of [each, `"${each}"`, `harbour ${each}`, `lantern or ${each}`, each.toUpperCase()]) {
          const [row] = await searched.api.sql<{ isFound: boolean; isExcluded: boolean }[]>`
            select service.search_vector(${text}, '{}') @@ service.search_query(${q}) as is_found,
              not service.search_vector(${text}, '{}') @@ service.search_query(${`-${each}`}) as is_excluded`
          expect(row, `${text} by ${q}`).toEqual({ isFound: true, isExcluded: true })
        }
      }
    }),
    { numRuns: byDepth(15, 60), seed: 36 },
  )
})

test('whatever is searched for, a search is a query', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom(...'ab -"!&|()<>:*\\\'v2./_@ß日 \t'), minLength: 1, maxLength: 40 }),
      async (q) => {
        await searched.api.sql`select service.search_query(${q})`
      },
    ),
    { numRuns: byDepth(60, 300), seed: 36 },
  )
})
