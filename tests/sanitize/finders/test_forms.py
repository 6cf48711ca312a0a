from __future__ import annotations

import pytest

from mcp_error_middleware.sanitize import sanitize_text


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (
            "cy.get('[name=password]').type('Velvet733!') timed out retrying",
            "cy.get('[name=password]').type('[redacted:password]') timed out retrying",
        ),
        (
            "cy.get('input[type=\"password\"]').clear().type('Velvet733!', {log: false})",
            "cy.get('input[type=\"password\"]').clear().type('[redacted:password]', {log: false})",
        ),
        (
            'driver.find_element(By.ID, "password").send_keys("Junip3rLake75") NoSuchElementException',
            'driver.find_element(By.ID, "password").send_keys("[redacted:password]") NoSuchElementException',
        ),
        (
            'driver.findElement(By.name("passwd")).sendKeys("sunshine-7");',
            'driver.findElement(By.name("passwd")).sendKeys("[redacted:password]");',
        ),
        (
            "page.getByLabel('Password').fill('Bronco_cloud48!') Timeout",
            "page.getByLabel('Password').fill('[redacted:password]') Timeout",
        ),
        (
            "await page.getByPlaceholder('Enter your password').fill('Bronco_cloud48!')",
            "await page.getByPlaceholder('Enter your password').fill('[redacted:password]')",
        ),
        (
            "locator('#password').press_sequentially(\"Otter-lake9\")",
            "locator('#password').press_sequentially(\"[redacted:password]\")",
        ),
        (
            "element.sendKeys('Orchid-Lake-79') into #password failed",
            "element.sendKeys('[redacted:password]') into #password failed",
        ),
        (
            "fill_in 'Password', with: 'OrchidFox92' Capybara::ElementNotFound",
            "fill_in 'Password', with: '[redacted:password]' Capybara::ElementNotFound",
        ),
        (
            "tester.enterText(find.byKey(Key('password')), 'Dragon177!') failed",
            "tester.enterText(find.byKey(Key('password')), '[redacted:password]') failed",
        ),
        (
            '{"args":{"ref":"e12","element":"Password field","text":"moonFalcon2007"}} timeout',
            '{"args":{"ref":"e12","element":"Password field","text":"[redacted:password]"}} timeout',
        ),
        (
            'browser_type(element="password input", text="Br0nc0River33") failed',
            'browser_type(element="password input", text="[redacted:password]") failed',
        ),
        (
            "page.fill('#password', 'Otter-lake9')",
            "page.fill('#password', '[redacted:password]')",
        ),
        (
            "page.type('input[name=password]', 'Otter-lake9')",
            "page.type('input[name=password]', '[redacted:password]')",
        ),
        (
            "expect(page.getByLabel('Password')).toHaveValue('Otter-lake9')",
            "expect(page.getByLabel('Password')).toHaveValue('[redacted:password]')",
        ),
        (
            'typed "Otter-lake9" into the password field',
            'typed "[redacted:password]" into the password field',
        ),
        (
            '{"action":"fill","selector":"#password","value":"Otter-lake9"}',
            '{"action":"fill","selector":"#password","value":"[redacted:password]"}',
        ),
        (
            "user.type(screen.getByLabelText(/password/i), 'Otter-lake9')",
            "user.type(screen.getByLabelText(/password/i), '[redacted:password]')",
        ),
        (
            '{"name":"browser_fill_form","fields":[{"name":"Password","type":"textbox","value":"Otter-lake9"}]}',
            '{"name":"browser_fill_form","fields":[{"name":"Password","type":"textbox","value":"[redacted:password]"}]}',
        ),
    ],
)
def test_what_was_typed_into_the_field_of_a_secret_goes(text: str, clean: str) -> None:
    assert sanitize_text(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "cy.get('[name=password]').type('{enter}') timed out",
        "cy.get('[name=password]').should('be.visible')",
        'driver.find_element(By.ID, "password").click() failed',
        'driver.find_element(By.ID, "password").send_keys(password) failed',
        "page.getByLabel('Password').fill('') Timeout",
        "page.getByLabel('Password').fill('password') Timeout",
        "page.fill('#password', password) failed",
        "page.getByLabel('Password').press('Enter') Timeout",
        "page.click('#password') failed, page.fill('#email') failed",
        "page.getByLabel('Email').fill('sales-2024') Timeout, no password field",
        'browser_type(element="search input", text="Br0nc0River33") failed',
        'browser_click(element="password input", ref="e12b34c") failed',
        '{"tool":"browser_click","args":{"element":"Show password","ref":"s1e34b"}}',
        '{"element":"password input","text":"Enter your password"}',
        "locator.fill: Error: strict mode violation: getByLabel('Password') resolved to 2 elements",
        "waiting for getByLabel('Password')",
        '<input type="password" name="password" id="pw1">',
        "expect(locator('#password')).toHaveAttribute('type', 'password')",
        "fill_in 'Password', with: password",
        "user.type(input, 'hello2') then password",
    ],
)
def test_a_form_without_a_secret_typed_into_it_stays(text: str) -> None:
    assert sanitize_text(text) == text
