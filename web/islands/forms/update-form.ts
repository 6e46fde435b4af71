import { decreaseRows } from '../../act/payout-rows.ts'
import { usdcText } from '../../words/amount.ts'
import type { ActionForm } from './action-form.ts'
import type { ActionContext, Field, Values } from './fields.ts'

/** The form that changes an open task. */
export const updateForm: ActionForm = {
  write: 'updateTask',
  act: 'Change this task',
  done: 'The task is changed.',
  about:
    'A higher reward is paid into escrow now; a lower one comes back. A field that is left as it is changes nothing.',
  fields: ({ task }) => [
    {
      kind: 'usdc',
      name: 'reward',
      label: 'New reward, USDC',
      hint: `Now ${usdcText(task.reward)}.`,
      isOptional: true,
    },
    { kind: 'time', name: 'expiryTime', label: 'New end', isOptional: true },
    ...(task.mode === 'pitch'
      ? [{ kind: 'time', name: 'pitchDeadline', label: 'New end of pitches', isOptional: true } as const]
      : []),
    ...(task.mode === 'auction'
      ? [{ kind: 'time', name: 'bidDeadline', label: 'New end of bids', isOptional: true } as const]
      : []),
    ...(task.auctionType === 'dutch'
      ? [clockPrice('auctionFloorPrice', 'New floor, USDC', task.auctionFloorPrice)]
      : []),
    ...(task.auctionType === 'reverse_dutch'
      ? [clockPrice('auctionStartPrice', 'New start, USDC', task.auctionStartPrice)]
      : []),
    ...(task.mode === 'benchmark'
      ? [
          {
            kind: 'text',
            name: 'metricDescription',
            label: 'What is measured?',
            most: 500,
            ...optionalText(task.metricDescription),
          } as const,
        ]
      : []),
    { kind: 'lines', name: 'description', label: 'Text', most: 10_000, ...optionalText(task.description) },
    {
      kind: 'text',
      name: 'tags',
      label: 'Tags',
      hint: 'Separated by commas, at most 10.',
      most: 1_000,
      ...optionalText(task.tags.join(', ')),
    },
  ],
  input: updateInput,
  effects: ({ reward }, { task }) =>
    reward === undefined
      ? []
      : [
          ['Reward', `${usdcText(task.reward)} → ${usdcText(String(reward))} USDC`],
          ...decreaseRows(task, BigInt(String(reward))),
        ],
}

const clockPrice = (name: string, label: string, presentPrice: string | null): Field => ({
  kind: 'usdc',
  name,
  label,
  isOptional: true,
  ...(presentPrice !== null && { hint: `Now ${usdcText(presentPrice)}.` }),
})

/**
 * Returns the properties of an optional text field. If the task has a current text (`value`), the field starts with
 * this text.
 */
const optionalText = (value: string | null) => ({ isOptional: true, ...(value !== null && { value }) })

/**
 * Returns the fields of the form that differ from the task.
 * @throws Error if no field differs, or if there are too many tags
 */
function updateInput({ tags, ...values }: Values, { task }: ActionContext): Record<string, unknown> {
  const listedTags = [
    ...new Set(
      String(tags ?? '')
        .split(',')
        .map((tag) => tag.trim()),
    ),
  ].filter((tag) => tag !== '')
  if (listedTags.length > 10) throw new Error('At most 10 tags.')
  const presentValues: Values = task
  const changedEntries = Object.entries(values).filter(([name, value]) => presentValues[name] !== value)
  const input = {
    ...Object.fromEntries(changedEntries),
    ...(listedTags.join() !== task.tags.join() && { tags: listedTags }),
  }
  if (Object.keys(input).length === 0) throw new Error('Nothing is changed yet.')
  return input
}
