import { Latchkey } from '@latchkey/react/quick'
import { createRoot } from 'react-dom/client'

createRoot(document.getElementById('root') as HTMLElement).render(<Latchkey />)
