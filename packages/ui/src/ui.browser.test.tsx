import { decodeQR } from 'qr/decode.js'
import { type ReactNode, useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import {
  Avatar,
  Button,
  Group,
  Notice,
  OtpField,
  QrCode,
  Row,
  Screen,
  ScreenFrameContext,
  SegmentedControl,
  Text,
  TextField,
  Tile,
  uiStyles,
  VirtualList,
  WalletLogo,
} from './index.ts'
import { createStyleAdopter, StyleSheetContext } from './stylesheetRegistry.ts'

async function show(children: ReactNode): Promise<void> {
  const adopt = createStyleAdopter(document)
  adopt(uiStyles)
  await render(<StyleSheetContext.Provider value={adopt}>{children}</StyleSheetContext.Provider>)
}

/** Decodes the QR code from an image of the rendered SVG, as a camera would. */
async function read(svg: SVGElement): Promise<string | undefined> {
  const copy = svg.cloneNode(true) as SVGElement
  const elements = [svg, ...svg.querySelectorAll('*')]
  for (const [index, element] of [copy, ...copy.querySelectorAll<SVGElement>('*')].entries()) {
    const style = getComputedStyle(elements[index] as Element)
    for (const name of ['fill', 'stroke', 'stroke-width']) element.style.setProperty(name, style.getPropertyValue(name))
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', '420')
  copy.setAttribute('height', '420')
  const picture = new Image()
  picture.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`
  await picture.decode()
  const canvas = new OffscreenCanvas(460, 460)
  const paper = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
  paper.fillStyle = '#777'
  paper.fillRect(0, 0, 460, 460)
  // Rotate and blur the image slightly, as in a photo.
  paper.filter = 'blur(1px)'
  paper.translate(230, 230)
  paper.rotate(0.05)
  paper.drawImage(picture, -210, -210, 420, 420)
  const { data } = paper.getImageData(0, 0, 460, 460)
  return decodeQR({ data, width: 460, height: 460 })
}

const address = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B'
const long = `wc:${'7f6e504bfad60b485450578e05678ed3e8e8c4751d3c6160be17160d63ec90f9'}@2?relay-protocol=irn&symKey=${'587d5484ce2a2a6ee3ba1962fdd7e8588e06200c46823bd18fbd67def96ad303'}`

for (const [name, value] of Object.entries({ address, long }))
  for (const hole of [false, true])
    test(`a QR code that contains the ${name} value, ${hole ? 'with' : 'without'} room for a logo, can be read from a rotated, blurred image`, async () => {
      await show(<QrCode value={value} label="QR code of your address" hole={hole} />)
      const svg = page.getByRole('img', { name: 'QR code of your address' }).element() as unknown as SVGElement
      expect(await read(svg)).toBe(value)
    })

/** Returns the WCAG contrast ratio between two computed colors. */
function contrast(color: string, other: string): number {
  const luminance = (color: string): number => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d') as OffscreenCanvasRenderingContext2D
    canvas.fillStyle = color
    canvas.fillRect(0, 0, 1, 1)
    const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => {
      const part = byte / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const [low, high] = [luminance(color), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

const accents = [
  '#ffff00',
  '#00ff00',
  '#ff00ff',
  '#0000ff',
  '#ffffff',
  '#000000',
  '#777777',
  '#ff7a00',
  '#0a7',
  'rebeccapurple',
]
for (const scheme of ['light', 'dark'])
  for (const accent of accents)
    test(`the accent ${accent} has sufficient contrast as a background and as text in the ${scheme} scheme`, async () => {
      document.documentElement.style.colorScheme = scheme
      document.documentElement.style.setProperty('--latchkey-accent', accent)
      await show(
        <div id="surface" style={{ background: 'var(--surface)' }}>
          <Button kind="primary">Go</Button>
          <Button kind="quiet">Read</Button>
          <Row tag={{ text: 'New', tone: 'accent' }}>One</Row>
        </div>,
      )
      const style = (element: Element): CSSStyleDeclaration => getComputedStyle(element)
      const primary = style(page.getByRole('button', { name: 'Go' }).element())
      expect(contrast(primary.backgroundColor, primary.color)).toBeGreaterThanOrEqual(4.5)
      await page.getByRole('button', { name: 'Go' }).hover()
      await Promise.all(document.getAnimations().map(({ finished }) => finished))
      expect(contrast(primary.backgroundColor, primary.color)).toBeGreaterThanOrEqual(4.5)
      const surface = style(document.querySelector('#surface') as Element).backgroundColor
      expect(
        contrast(surface, style(page.getByRole('button', { name: 'Read' }).element()).color),
      ).toBeGreaterThanOrEqual(4.5)
      const tag = style(page.getByText('New').element())
      expect(contrast(tag.backgroundColor, tag.color)).toBeGreaterThanOrEqual(4.5)
      document.documentElement.removeAttribute('style')
    })

test('a busy button is marked as busy and ignores clicks', async () => {
  let pressed = 0
  await show(
    <Button busy onClick={() => pressed++}>
      Save
    </Button>,
  )
  const button = page.getByRole('button', { name: 'Save' })
  ;(button.element() as HTMLElement).click()
  expect(pressed).toBe(0)
  await expect.element(button).toHaveAttribute('aria-busy', 'true')
})

test('a group is a labeled list of rows, and each row is a button, a link or plain text', async () => {
  await show(
    <Group label="Wallets">
      <Row onClick={() => undefined} icon={<WalletLogo name="Acorn" />} tag={{ text: 'Installed', tone: 'success' }}>
        Acorn
      </Row>
      <Row href="https://example.com">Birch</Row>
      <Row detail="Only told">Cedar</Row>
    </Group>,
  )
  await expect.element(page.getByRole('list', { name: 'Wallets' })).toBeVisible()
  expect(page.getByRole('listitem').elements()).toHaveLength(3)
  await expect.element(page.getByRole('button', { name: 'Acorn Installed' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Birch' })).toHaveAttribute('rel', 'noopener noreferrer')
})

test('a field has a label, shows its error and does not trigger zooming on phones', async () => {
  await show(<TextField label="Search wallets" error="Type more." />)
  const field = page.getByRole('textbox', { name: 'Search wallets' })
  await expect.element(field).toHaveAccessibleDescription('Type more.')
  await expect.element(page.getByRole('alert')).toHaveTextContent('Type more.')
  expect(getComputedStyle(field.element()).fontSize).toBe('16px')
})

test('help text below a field is not announced as an alert and has a different color than an error', async () => {
  await show(
    <>
      <TextField label="Name" hint="Visible to others." />
      <TextField label="Email" error="Not an address." />
      <Text tone="soft">Soft</Text>
    </>,
  )
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription('Visible to others.')
  const alert = page.getByRole('alert')
  await expect.element(alert).toHaveTextContent('Not an address.')
  const colorOf = (text: string) => getComputedStyle(page.getByText(text).element()).color
  expect(colorOf('Visible to others.')).toBe(colorOf('Soft'))
  expect(colorOf('Not an address.')).not.toBe(colorOf('Soft'))
})

test('a notice describes an error and offers an action', async () => {
  let again = 0
  await show(
    <Notice kind="error" title="Offline" action={{ label: 'Try again', onClick: () => again++ }}>
      Check the connection.
    </Notice>,
  )
  await page.getByRole('button', { name: 'Try again' }).click()
  expect(again).toBe(1)
})

function Tabs(): ReactNode {
  const [tab, setTab] = useState<'a' | 'b'>('a')
  return (
    <SegmentedControl
      label="Where"
      value={tab}
      onChange={setTab}
      tabs={[
        { key: 'a', label: 'Phone' },
        { key: 'b', label: 'Desktop' },
      ]}
    >
      {tab}
    </SegmentedControl>
  )
}

test('arrow keys switch between tabs, and the selected tab labels the panel', async () => {
  await show(<Tabs />)
  await page.getByRole('tab', { name: 'Phone' }).click()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(page.getByRole('tab', { name: 'Desktop' })).toHaveFocus()
  await expect.element(page.getByRole('tabpanel', { name: 'Desktop' })).toHaveTextContent('b')
})

test('a list of ten thousand wallets renders only a few dozen tiles, and the user can reach every wallet with the arrow keys and End', async () => {
  const items = Array.from({ length: 10_000 }, (_, at) => `Wallet ${at}`)
  await show(
    <VirtualList label="All wallets" items={items} keyOf={(item) => item} columns={3} rowHeight={104} height="400px">
      {(item) => (
        <Tile icon={<WalletLogo name={item} size={56} />} onClick={() => undefined}>
          {item}
        </Tile>
      )}
    </VirtualList>,
  )
  expect(page.getByRole('button').elements().length).toBeLessThan(40)
  ;(page.getByRole('button', { name: 'Wallet 0', exact: true }).element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowDown}{ArrowRight}')
  await expect.element(page.getByRole('button', { name: 'Wallet 4', exact: true })).toHaveFocus()
  await userEvent.keyboard('{End}')
  await expect.element(page.getByRole('button', { name: 'Wallet 9999', exact: true })).toHaveFocus()
  expect(page.getByRole('button').elements().length).toBeLessThan(60)
})

test('buttons and rows are at least 44 px tall', async () => {
  await show(
    <>
      <Button>Medium</Button>
      <Row onClick={() => undefined}>Row</Row>
    </>,
  )
  for (const button of page.getByRole('button').elements())
    expect(button.getBoundingClientRect().height).toBeGreaterThanOrEqual(44)
})

test('scrolling by one row renders only the new row', async () => {
  const items = Array.from({ length: 10_000 }, (_, at) => `Wallet ${at}`)
  const renderedItems: string[] = []
  await show(
    <VirtualList label="All wallets" items={items} keyOf={(item) => item} columns={3} rowHeight={104} height="400px">
      {(item) => {
        renderedItems.push(item)
        return (
          <Tile icon={<WalletLogo name={item} size={56} />} onClick={() => undefined}>
            {item}
          </Tile>
        )
      }}
    </VirtualList>,
  )
  const list = document.querySelector('.virtual') as HTMLElement
  list.scrollTop = 112 * 5
  await expect.poll(() => page.getByRole('button', { name: 'Wallet 35', exact: true }).elements().length).toBe(1)
  await new Promise((frame) => requestAnimationFrame(frame))
  renderedItems.length = 0
  list.scrollTop = 112 * 6
  await expect.poll(() => renderedItems.length).toBeGreaterThan(0)
  expect(new Set(renderedItems).size).toBeLessThanOrEqual(3)
  // After a long jump, the list renders in a transition and shows the target row.
  list.scrollTop = 200_000
  await expect.poll(() => page.getByRole('button', { name: 'Wallet 5360', exact: true }).elements().length).toBe(1)
})

test('if items are slow to render, the list still displays the items that the user scrolls to during a jump', async () => {
  const items = Array.from({ length: 10_000 }, (_, at) => `Wallet ${at}`)
  await show(
    <VirtualList label="All wallets" items={items} keyOf={(item) => item} columns={3} rowHeight={104} height="400px">
      {(item) => {
        const end = performance.now() + 4
        while (performance.now() < end);
        return (
          <Tile icon={undefined} onClick={() => undefined}>
            {item}
          </Tile>
        )
      }}
    </VirtualList>,
  )
  const list = document.querySelector('.virtual') as HTMLElement
  for (const [first, second, wallet] of [
    [100_000, 200_000, 'Wallet 5360'],
    [100_000, 112, 'Wallet 3'],
    [100_000, 0, 'Wallet 0'],
  ] as const) {
    list.scrollTop = first
    await new Promise((frame) => requestAnimationFrame(frame))
    await new Promise((frame) => requestAnimationFrame(frame))
    list.scrollTop = second
    await expect.poll(() => page.getByRole('button', { name: wallet, exact: true }).elements().length).toBe(1)
  }
})

function Code({ onComplete }: { readonly onComplete: (code: string) => void }): ReactNode {
  const [value, setValue] = useState('')
  return <OtpField label="Code" length={4} value={value} onChange={setValue} onComplete={onComplete} />
}

test('a code field is a single text box with a decorative box for each digit, and accepts Western and Arabic-Indic digits', async () => {
  const complete: string[] = []
  await show(<Code onComplete={(code) => complete.push(code)} />)
  const field = page.getByRole('textbox', { name: 'Code' })
  expect(page.getByRole('textbox').elements()).toHaveLength(1)
  await expect.element(field).toHaveAttribute('inputmode', 'numeric')
  await field.click()
  await userEvent.keyboard('1x٢')
  await expect.element(field).toHaveValue('12')
  expect([...document.querySelectorAll('.otp-box')].map((box) => box.textContent)).toEqual(['1', '2', '', ''])
  expect(document.querySelectorAll('.otp-box[data-active]')).toHaveLength(1)
  // A digit typed at the start shifts the digits that follow.
  await userEvent.keyboard('{Home}9')
  await expect.element(field).toHaveValue('912')
  await userEvent.keyboard('{Backspace}{End}34')
  await expect.element(field).toHaveValue('1234')
  expect(complete).toEqual(['1234'])
})

test('while a code is being checked, its field cannot be edited but keeps focus', async () => {
  await show(
    <OtpField
      label="Code"
      value="123456"
      busy
      onChange={() => expect.unreachable()}
      onComplete={() => expect.unreachable()}
    />,
  )
  const field = page.getByRole('textbox', { name: 'Code' })
  await field.click()
  await userEvent.keyboard('{Backspace}7')
  await expect.element(field).toHaveValue('123456')
  await expect.element(field).toHaveFocus()
  await expect.element(field).toHaveAttribute('aria-busy', 'true')
})

test.each([
  ['Acorn', 'A'],
  ['  birch', 'B'],
  ['🦊 Fox', '🦊'],
  ['ärger', 'Ä'],
  ['', ''],
])('the placeholder of a logo for %j is “%s”', async (name, letter) => {
  await show(<WalletLogo name={name} />)
  const logo = document.querySelector('.logo') as Element
  expect(getComputedStyle(logo, '::before').content).toMatch(new RegExp(`^"${letter}"`))
})

test('a logo that fails to load is removed, but a different image can still load', async () => {
  const canvas = document.createElement('canvas')
  const adopt = createStyleAdopter(document)
  const logo = (src: string) => (
    <StyleSheetContext.Provider value={adopt}>
      <WalletLogo name="Acorn" src={src} />
    </StyleSheetContext.Provider>
  )
  const images = () => document.querySelectorAll('.logo img').length
  const { rerender } = await render(logo('data:image/png,broken'))
  await expect.poll(images).toBe(0)
  await rerender(logo(canvas.toDataURL()))
  await expect.poll(() => document.querySelector('.logo')?.hasAttribute('data-drawn')).toBe(true)
  expect(images()).toBe(1)
})

test('an avatar shows the account’s image, and the gradient if the image fails to load', async () => {
  await show(<Avatar address={address} src="data:image/png,broken" />)
  await expect.poll(() => document.querySelector('svg.avatar')?.querySelectorAll('circle').length).toBe(2)
  expect(document.querySelectorAll('img.avatar')).toHaveLength(0)
  const gradients = [...document.querySelectorAll('svg.avatar > *[id]')].map(({ id }) => `url(#${id})`)
  const fills = [...document.querySelectorAll('svg.avatar circle')].map((circle) => circle.getAttribute('fill'))
  expect(fills).toEqual(gradients)
})

test('a logo with too many pixels is never rendered, even if its file is small, and the placeholder letter stays', async () => {
  const picture = (side: number): string => {
    const canvas = document.createElement('canvas')
    canvas.width = side
    canvas.height = side
    return canvas.toDataURL()
  }
  await show(
    <>
      <WalletLogo name="Acorn" src={picture(2048)} />
      <WalletLogo name="Birch" src={picture(2100)} />
    </>,
  )
  const logos = () => [...document.querySelectorAll('.logo')]
  await expect.poll(() => logos().map((logo) => logo.hasAttribute('data-drawn'))).toEqual([true, false])
  await expect.poll(() => logos().map((logo) => logo.querySelectorAll('img').length)).toEqual([1, 0])
})

const screenFrame = {
  headingId: 'heading',
  level: 2,
  arrived() {},
  lostFocus: (heading: HTMLElement) => heading.focus(),
} as const

function Sending(): ReactNode {
  const [attempt, setAttempt] = useState(0)
  return (
    <ScreenFrameContext.Provider value={screenFrame}>
      <Screen title="Send">
        {attempt === 0 && <Button onClick={() => setAttempt(1)}>Try again</Button>}
        {attempt > 0 && <Button onClick={() => setAttempt(attempt + 1)}>Attempt {attempt}</Button>}
      </Screen>
    </ScreenFrameContext.Provider>
  )
}

test('focus moves to the heading of a view if the focused button is removed, and otherwise stays on the button', async () => {
  await show(<Sending />)
  const heading = page.getByRole('heading', { name: 'Send' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(heading).toHaveFocus()
  await page.getByRole('button', { name: 'Attempt 1' }).click()
  await expect.element(page.getByRole('button', { name: 'Attempt 2' })).toHaveFocus()
})
