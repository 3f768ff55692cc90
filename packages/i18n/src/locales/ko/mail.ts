/** The texts of emails and of the pages opened by emails and social logins, in Korean. */
export const mail = {
  'code.subject': '로그인 코드',
  'code.heading': '로그인 코드',
  'code.before': '로그인 중인 화면에 이 코드를 입력하세요. 10분 동안, 코드를 요청한 브라우저에서만 유효합니다.',
  'code.after':
    '{site}에서는 이 코드를 절대 묻지 않습니다. 코드를 요청하지 않았다면 이 메일을 무시하세요. 코드 없이는 아무도 로그인할 수 없습니다.',

  'approval.subject': '새 브라우저 승인',
  'approval.heading': '본인이 맞나요?',
  'approval.before': '새 브라우저가 회원님의 이메일 주소로 로그인하려고 합니다. 링크는 10분 동안 유효합니다.',
  'approval.link': '요청 확인',
  'approval.after':
    '지금 로그인하고 있는 경우에만 여세요. 본인이 아니라면 이 메일을 무시하세요. 이 링크 없이는 아무도 {site}에 로그인할 수 없습니다.',

  'changePrimary.subject': '이메일 변경 확인',
  'changePrimary.heading': '이메일 주소 변경',
  'changePrimary.before': '계정의 이메일 주소를 변경하려면 이 코드를 입력해 확인하세요. 10분 동안 유효합니다.',
  'changePrimary.after': '본인이 아니라면 이 코드를 어디에도 입력하지 말고 {site}에서 계정의 기기를 확인하세요.',

  'changeSecondary.subject': '새 이메일 주소 확인',
  'changeSecondary.heading': '새 이메일 주소',
  'changeSecondary.before': '이 주소를 계정의 이메일 주소로 사용하려면 이 코드를 입력하세요. 10분 동안 유효합니다.',
  'changeSecondary.after': '요청하지 않았다면 이 메일을 무시하세요. 그러면 {site}에서 이 주소를 삭제합니다.',

  'addressTaken.subject': '이 이메일 주소에는 이미 계정이 있습니다',
  'addressTaken.heading': '이미 사용 중인 이메일 주소입니다',
  'addressTaken.before':
    '누군가(본인일 수도 있습니다) {site}의 다른 계정에 이 이메일 주소를 사용하려고 했습니다. 이미 계정이 있으므로 아무것도 변경되지 않았습니다.',
  'addressTaken.after': '본인이라면 이 이메일 주소로 로그인하세요.',

  'addressChanged.subject': '이메일 주소가 변경되었습니다',
  'addressChanged.heading': '이메일 주소가 변경되었습니다',
  'addressChanged.before':
    '{site} 계정의 이메일 주소가 변경되었습니다. 두 주소로 보낸 코드가 모두 입력되었습니다. 지갑과 지갑의 키는 바뀌지 않았습니다.',
  'addressChanged.after':
    '본인이 한 일이 아니라면 누군가 회원님의 메일을 읽을 수 있습니다. 이메일 계정의 비밀번호를 변경하세요.',

  'deviceAdded.subject': '다른 기기에서 새로 로그인했습니다',
  'deviceAdded.heading': '새 기기',
  'deviceAdded.before':
    '“{place}”에서 {site} 계정에 로그인했습니다. 지갑을 열려면 패스키, 복구 키트 또는 회원님의 다른 기기가 필요합니다.',
  'deviceAdded.after': '본인의 기기가 아니라면 지갑의 기기 목록에서 제거하세요.',

  'deviceAsked.subject': '새 기기가 지갑을 열려고 합니다',
  'deviceAsked.heading': '기기 승인이 필요합니다',
  'deviceAsked.before':
    '“{place}”에서 {site} 계정에 로그인하고 회원님의 기기에 승인을 요청했습니다. {time}까지는 승인하려면 그 기기에서 패스키나 복구 키트가 필요합니다.',
  'deviceAsked.after':
    '본인의 기기가 아니라면 누군가 회원님의 메일을 읽을 수 있습니다. 이메일 계정의 비밀번호를 변경한 다음, 브라우저에서 {page}을(를) 열어 모든 곳에서 로그아웃하고 패스키나 복구 키트를 추가하세요.',

  'expiredPage.title': '링크 만료',
  'expiredPage.heading': '만료된 링크입니다',
  'expiredPage.body': '링크는 10분 동안 한 번만 쓸 수 있습니다. 로그인 중인 화면에서 새 링크를 요청하세요.',

  'approvePage.title': '새 브라우저 승인',
  'approvePage.heading': '지금 로그인하고 있나요?',
  'approvePage.body': '브라우저가 {email} 계정으로 {site}에 로그인하려고 합니다.',
  'approvePage.notYou': '본인이 아니라면 이 페이지를 닫으세요.',
  'approvePage.approve': '승인',

  'approvedPage.title': '승인됨',
  'approvedPage.heading': '브라우저를 승인했습니다',
  'approvedPage.body': '메일로 코드를 보냈습니다. 로그인 중인 화면에 입력하세요. 이 페이지는 닫아도 됩니다.',

  'popup.title': '로그인',
  'popup.loading': '잠시만요…',
  'popup.loadingBody': '여기에 로그인 화면이 열립니다.',
  'popup.elsewhere': '원래 페이지에서 계속하세요',
  'popup.done': '원래 페이지로 돌아가세요',
  'popup.failed': '문제가 발생했습니다',
  'popup.close': '이 창은 닫아도 됩니다.',
}
